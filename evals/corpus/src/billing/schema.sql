-- Billing schema. Amounts are integers; see decision 0011.

CREATE TABLE usage_record (
    usage_key       TEXT        NOT NULL,
    workspace_id    BIGINT      NOT NULL,
    meter           TEXT        NOT NULL CHECK (meter IN ('run_seconds', 'byte_hours', 'egress_bytes')),
    quantity        BIGINT      NOT NULL CHECK (quantity >= 0),
    occurred_at     TIMESTAMPTZ NOT NULL,
    received_at     TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (usage_key)
);

-- Partial index: only what the nightly rating still has to look at.
CREATE INDEX usage_record_unrated_idx
    ON usage_record (workspace_id, occurred_at)
    WHERE received_at > now_floor_day();

CREATE TABLE price_list (
    list_name       TEXT   NOT NULL,
    meter           TEXT   NOT NULL,
    rate_num        BIGINT NOT NULL,
    rate_den        BIGINT NOT NULL CHECK (rate_den > 0),
    free_tier_qty   BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (list_name, meter)
);

CREATE TABLE invoice (
    invoice_id      BIGINT PRIMARY KEY,
    invoice_number  TEXT UNIQUE,           -- NULL while the invoice is a draft
    workspace_id    BIGINT NOT NULL,
    currency_code   CHAR(3) NOT NULL,
    total_micros    BIGINT NOT NULL,
    finalized_at    TIMESTAMPTZ
);

CREATE TABLE credit_grant (
    grant_id          BIGINT PRIMARY KEY,
    workspace_id      BIGINT NOT NULL,
    remaining_micros  BIGINT NOT NULL CHECK (remaining_micros >= 0),
    expires_on        DATE   NOT NULL,
    is_promotional    BOOLEAN NOT NULL DEFAULT false
);

-- Final invoices cannot be changed, not even by the billing service.
CREATE FUNCTION forbid_final_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.finalized_at IS NOT NULL THEN
        RAISE EXCEPTION 'invoice % is final', OLD.invoice_number;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER invoice_is_immutable
    BEFORE UPDATE OR DELETE ON invoice
    FOR EACH ROW EXECUTE FUNCTION forbid_final_update();

-- Quantities that were received twice with different amounts.
CREATE TABLE usage_quarantine (
    usage_key       TEXT NOT NULL,
    quantity        BIGINT NOT NULL,
    seen_at         TIMESTAMPTZ NOT NULL DEFAULT now(),
    resolved_by     TEXT
);
