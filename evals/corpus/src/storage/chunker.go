// Package chunker cuts a stream into content-defined chunks.
package chunker

import (
	"bufio"
	"errors"
	"io"
)

const (
	minChunkBytes = 256 << 10
	avgChunkMask  = (1 << 20) - 1
	maxChunkBytes = 4 << 20
	windowBytes   = 64
)

// ErrZeroReader is returned when the source yields no bytes and no error
// for one hundred reads in a row.
var ErrZeroReader = errors.New("chunker: source makes no progress")

// Chunk is one piece of an object. Data is valid until the next call to Next.
type Chunk struct {
	Offset int64
	Data   []byte
}

// Splitter is not safe for concurrent use.
type Splitter struct {
	src    *bufio.Reader
	offset int64
	buf    []byte
	roll   rollingHash
}

func NewSplitter(r io.Reader) *Splitter {
	return &Splitter{
		src: bufio.NewReaderSize(r, maxChunkBytes),
		buf: make([]byte, 0, maxChunkBytes),
	}
}

// Next returns io.EOF after the last chunk. A final chunk may be shorter than
// minChunkBytes; all the others are at least that long.
func (s *Splitter) Next() (Chunk, error) {
	s.buf = s.buf[:0]
	s.roll.reset()
	for len(s.buf) < maxChunkBytes {
		b, err := s.src.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Chunk{}, err
		}
		s.buf = append(s.buf, b)
		sum := s.roll.push(b)
		if len(s.buf) >= minChunkBytes && isCutPoint(sum) {
			break
		}
	}
	if len(s.buf) == 0 {
		return Chunk{}, io.EOF
	}
	c := Chunk{Offset: s.offset, Data: s.buf}
	s.offset += int64(len(s.buf))
	return c, nil
}

// isCutPoint tests the high bits, since the low bits of a buzhash repeat
// on periodic input.
func isCutPoint(sum uint64) bool {
	return (sum>>20)&avgChunkMask == 0
}

type rollingHash struct {
	ring [windowBytes]byte
	pos  int
	sum  uint64
}

func (h *rollingHash) reset() { *h = rollingHash{} }

func (h *rollingHash) push(b byte) uint64 {
	old := h.ring[h.pos]
	h.ring[h.pos] = b
	h.pos = (h.pos + 1) % windowBytes
	h.sum = rotl(h.sum, 1) ^ rotl(byteTable[old], windowBytes%64) ^ byteTable[b]
	return h.sum
}

func rotl(x uint64, n uint) uint64 { return x<<n | x>>(64-n) }
