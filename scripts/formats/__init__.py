"""Every format over real files: what is indexed and verified, how true, how fast."""
