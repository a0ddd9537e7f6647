-- Made by the migrations; a test keeps it true.

CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");

CREATE TABLE project (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE body (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    characters INTEGER NOT NULL,
    encoding TEXT NOT NULL CHECK (encoding IN ('utf8', 'zlib')),
    content BLOB NOT NULL
) STRICT;

CREATE TABLE load (
    id INTEGER PRIMARY KEY,
    subject TEXT NOT NULL CHECK (subject IN ('events', 'probes', 'logs', 'answers')),
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    mapping TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(mapping)),
    started_at TEXT NOT NULL,
    -- Renewed while the load is going on: one that stands still has died and is cleared.
    alive_at TEXT NOT NULL DEFAULT '',
    completed_at TEXT,
    read INTEGER NOT NULL DEFAULT 0,
    new INTEGER NOT NULL DEFAULT 0,
    known INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX load_unfinished ON load (id) WHERE completed_at IS NULL;

CREATE TABLE load_rejection (
    load_id INTEGER NOT NULL REFERENCES load (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    reason TEXT NOT NULL,
    content TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX load_rejection_load ON load_rejection (load_id);

CREATE TABLE column_mapping (
    subject TEXT NOT NULL,
    columns_hash TEXT NOT NULL,
    mapping TEXT NOT NULL CHECK (json_valid(mapping)),
    at TEXT NOT NULL,
    PRIMARY KEY (subject, columns_hash)
) STRICT;

CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    load_id INTEGER REFERENCES load (id) ON DELETE CASCADE,
    revision_id INTEGER REFERENCES event_revision (id) DEFERRABLE INITIALLY DEFERRED,
    category TEXT NOT NULL,
    entity TEXT NOT NULL,
    date TEXT NOT NULL,
    added_at TEXT NOT NULL
) STRICT;

CREATE INDEX event_load ON event (load_id);

CREATE INDEX event_list ON event (category, date, id);

CREATE INDEX event_current ON event (revision_id);

CREATE TABLE event_revision (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    facts TEXT NOT NULL CHECK (json_valid(facts)),
    facts_hash TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (event_id, number)
) STRICT;

CREATE TABLE event_identity (
    identity TEXT NOT NULL,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    PRIMARY KEY (identity, event_id)
) STRICT;

CREATE INDEX event_identity_event ON event_identity (event_id);

CREATE TABLE probe (
    id INTEGER PRIMARY KEY,
    load_id INTEGER REFERENCES load (id) ON DELETE CASCADE,
    key TEXT NOT NULL UNIQUE,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'indirect')),
    ordinal INTEGER NOT NULL,
    revision_id INTEGER REFERENCES probe_revision (id) DEFERRABLE INITIALLY DEFERRED,
    status TEXT NOT NULL DEFAULT 'unreviewed'
        CHECK (status IN ('unreviewed', 'accepted', 'rejected', 'deferred')),
    flagged INTEGER NOT NULL DEFAULT 0 CHECK (flagged IN (0, 1)),
    decided_facts_hash TEXT NOT NULL DEFAULT '',
    added_at TEXT NOT NULL
, disputed INTEGER NOT NULL DEFAULT 0 CHECK (disputed IN (0, 1))) STRICT;

CREATE INDEX probe_event ON probe (event_id, kind, ordinal);

CREATE INDEX probe_status ON probe (status, kind);

CREATE INDEX probe_load ON probe (load_id);

CREATE INDEX probe_current ON probe (revision_id);

CREATE TABLE probe_revision (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    requester TEXT NOT NULL DEFAULT '',
    situation TEXT NOT NULL DEFAULT '',
    consequence TEXT NOT NULL DEFAULT '',
    facts_hash TEXT NOT NULL,
    origin TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (probe_id, number)
) STRICT;

CREATE INDEX probe_revision_text ON probe_revision (text_hash);

CREATE TABLE decision (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    action TEXT NOT NULL
        CHECK (action IN ('accept', 'reject', 'edit', 'defer', 'flag', 'unflag', 'note', 'undo')),
    reasons TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(reasons)),
    note TEXT NOT NULL DEFAULT '',
    text_hash TEXT NOT NULL,
    facts_hash TEXT NOT NULL,
    new_revision_id INTEGER REFERENCES probe_revision (id),
    undoes INTEGER UNIQUE REFERENCES decision (id),
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL
, bulk_id INTEGER REFERENCES review_bulk (id)) STRICT;

CREATE INDEX decision_probe ON decision (probe_id, id);

CREATE INDEX decision_revision ON decision (revision_id);

CREATE TABLE draft (
    place TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('evaluate', 'filter', 'import')),
    recipe TEXT NOT NULL CHECK (json_valid(recipe)),
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    lease_owner TEXT NOT NULL DEFAULT '',
    lease_until TEXT NOT NULL DEFAULT ''
, origin TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE run_item (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    configuration_id INTEGER NOT NULL REFERENCES configuration (id),
    probe_id INTEGER REFERENCES probe (id),
    revision_id INTEGER REFERENCES probe_revision (id),
    sample TEXT NOT NULL DEFAULT '',
    repetition INTEGER NOT NULL DEFAULT 1
, request TEXT NOT NULL DEFAULT '') STRICT;

CREATE UNIQUE INDEX run_item_once
    ON run_item (run_id, configuration_id, ifnull(revision_id, 0), sample, repetition);

CREATE INDEX run_item_probe ON run_item (probe_id);

CREATE INDEX run_item_revision ON run_item (revision_id);

CREATE INDEX run_item_configuration ON run_item (configuration_id);

CREATE TABLE answer (
    id INTEGER PRIMARY KEY,
    run_item_id INTEGER NOT NULL REFERENCES run_item (id) ON DELETE CASCADE,
    uuid TEXT NOT NULL UNIQUE,
    is_final INTEGER NOT NULL CHECK (is_final IN (0, 1)),
    ending TEXT NOT NULL CHECK (ending IN ('answered', 'no_answer', 'refused', 'failed', 'cancelled')),
    ending_reason TEXT NOT NULL DEFAULT '',
    body_id INTEGER REFERENCES body (id),
    queries INTEGER NOT NULL DEFAULT 0,
    results INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL,
    seconds REAL,
    started_at TEXT NOT NULL DEFAULT '',
    finished_at TEXT NOT NULL DEFAULT '',
    stored_at TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX answer_final ON answer (run_item_id) WHERE is_final = 1;

CREATE INDEX answer_item ON answer (run_item_id);

CREATE INDEX answer_ending ON answer (ending, is_final);

CREATE TABLE step (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('reasoning', 'query', 'tool', 'message', 'answer')),
    body_id INTEGER REFERENCES body (id),
    output_id INTEGER REFERENCES body (id),
    error TEXT NOT NULL DEFAULT '',
    tool TEXT NOT NULL DEFAULT '',
    agent TEXT NOT NULL DEFAULT '',
    span TEXT NOT NULL DEFAULT '',
    parent_span TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL DEFAULT '',
    seconds REAL,
    hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1)), dropped INTEGER NOT NULL DEFAULT 0,
    UNIQUE (answer_id, number)
) STRICT;

CREATE TABLE search_result (
    id INTEGER PRIMARY KEY,
    step_id INTEGER NOT NULL REFERENCES step (id) ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    published TEXT NOT NULL DEFAULT '',
    excerpts_id INTEGER REFERENCES body (id),
    UNIQUE (step_id, rank)
) STRICT;

CREATE TABLE model_call (
    id INTEGER PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('generator', 'judge', 'classifier')),
    model TEXT NOT NULL,
    subject TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    reply_id INTEGER REFERENCES body (id),
    error TEXT NOT NULL DEFAULT '',
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX model_call_request ON model_call (request_hash, model);

CREATE TABLE verdict (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    call_id INTEGER REFERENCES model_call (id),
    judge TEXT NOT NULL,
    label TEXT CHECK (label IN ('correct', 'incorrect')),
    names_entity INTEGER CHECK (names_entity IN (0, 1)),
    rationale TEXT NOT NULL DEFAULT '',
    unscored TEXT NOT NULL DEFAULT '',
    is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
    at TEXT NOT NULL,
    CHECK ((label IS NULL) = (unscored <> ''))
) STRICT;

CREATE UNIQUE INDEX verdict_current ON verdict (answer_id, judge) WHERE is_current = 1;

CREATE INDEX verdict_label ON verdict (label, is_current);

CREATE TABLE classification (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    call_id INTEGER REFERENCES model_call (id),
    classifier TEXT NOT NULL,
    mode TEXT CHECK (mode IN ('reasoning', 'explicit', 'indirect', 'none')),
    trace TEXT NOT NULL DEFAULT '',
    rationale TEXT NOT NULL DEFAULT '',
    by_construction INTEGER NOT NULL DEFAULT 0 CHECK (by_construction IN (0, 1)),
    unscored TEXT NOT NULL DEFAULT '',
    is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1)),
    at TEXT NOT NULL,
    CHECK ((mode IS NULL) = (unscored <> ''))
) STRICT;

CREATE UNIQUE INDEX classification_current ON classification (answer_id, classifier) WHERE is_current = 1;

CREATE INDEX classification_mode ON classification (mode, is_current);

CREATE TABLE query_label (
    classification_id INTEGER NOT NULL REFERENCES classification (id) ON DELETE CASCADE,
    step_id INTEGER NOT NULL REFERENCES step (id) ON DELETE CASCADE,
    label TEXT NOT NULL CHECK (label IN ('explicit', 'indirect', 'unrelated')),
    PRIMARY KEY (classification_id, step_id)
) STRICT;

CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    classification_id INTEGER NOT NULL REFERENCES classification (id) ON DELETE CASCADE,
    result_id INTEGER NOT NULL REFERENCES search_result (id) ON DELETE CASCADE,
    excerpt TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL
) STRICT;

CREATE INDEX evidence_classification ON evidence (classification_id);

CREATE TABLE study_item (
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    item TEXT NOT NULL,
    answer_id INTEGER NOT NULL REFERENCES answer (id),
    stratum TEXT NOT NULL,
    cell TEXT NOT NULL,
    frame_count INTEGER NOT NULL,
    drawn_count INTEGER NOT NULL,
    machine_label TEXT NOT NULL, role TEXT NOT NULL DEFAULT 'sample' CHECK (role IN ('sample', 'repeat')), repeats TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (study_id, item)
) STRICT;

CREATE INDEX study_item_answer ON study_item (answer_id);

CREATE TABLE human_label (
    id INTEGER PRIMARY KEY,
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    packet_id TEXT NOT NULL REFERENCES packet (id),
    item TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    annotator TEXT NOT NULL,
    label TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    undoes INTEGER,
    active_seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL, confidence INTEGER CHECK (confidence BETWEEN 1 AND 3), answers TEXT NOT NULL DEFAULT '',
    UNIQUE (packet_id, sequence),
    FOREIGN KEY (study_id, item) REFERENCES study_item (study_id, item)
) STRICT;

CREATE INDEX human_label_item ON human_label (study_id, item);

CREATE TABLE study_log (
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    step TEXT NOT NULL,
    detail TEXT NOT NULL CHECK (json_valid(detail)),
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (study_id, number)
) STRICT;

CREATE TABLE exposure (
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (study_id, answer_id, person)
) STRICT;

CREATE TABLE case_note (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    step_number INTEGER,
    note TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT ''
, withdrawn_by TEXT NOT NULL DEFAULT '', replaces INTEGER REFERENCES case_note (id)) STRICT;

CREATE INDEX case_note_answer ON case_note (answer_id);

CREATE INDEX answer_body ON answer (body_id);

CREATE INDEX step_body ON step (body_id);

CREATE TABLE sample (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    algorithm TEXT NOT NULL,
    seed TEXT NOT NULL,
    size INTEGER NOT NULL,
    per_event INTEGER NOT NULL,
    common INTEGER NOT NULL CHECK (common IN (0, 1)),
    extends INTEGER REFERENCES sample (id),
    cells TEXT NOT NULL CHECK (json_valid(cells)),
    sha256 TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE INDEX sample_extends ON sample (extends);

CREATE TABLE sample_item (
    sample_id INTEGER NOT NULL REFERENCES sample (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    category TEXT NOT NULL,
    place INTEGER NOT NULL,
    event_id INTEGER NOT NULL REFERENCES event (id),
    probe_id INTEGER NOT NULL REFERENCES probe (id),
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    text_hash TEXT NOT NULL,
    direct_id INTEGER REFERENCES probe (id),
    direct_revision_id INTEGER REFERENCES probe_revision (id),
    direct_text_hash TEXT NOT NULL DEFAULT '',
    facts_hash TEXT NOT NULL,
    PRIMARY KEY (sample_id, model, probe_id),
    UNIQUE (sample_id, model, category, place)
) STRICT;

CREATE INDEX sample_item_event ON sample_item (event_id);

CREATE INDEX sample_item_probe ON sample_item (probe_id);

CREATE INDEX sample_item_revision ON sample_item (revision_id);

CREATE INDEX sample_item_direct ON sample_item (direct_id);

CREATE INDEX sample_item_direct_revision ON sample_item (direct_revision_id);

CREATE TABLE "configuration" (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    model TEXT NOT NULL,
    harness TEXT NOT NULL CHECK (harness IN ('shared', 'native', 'none', 'other')),
    effort TEXT NOT NULL
        CHECK (effort IN ('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'unknown')),
    search TEXT NOT NULL DEFAULT '',
    prompt_hash TEXT NOT NULL DEFAULT '',
    as_of TEXT NOT NULL DEFAULT '',
    settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings))
) STRICT;

CREATE UNIQUE INDEX run_origin ON run (origin) WHERE origin <> '';

CREATE TABLE shard_lease (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    shard TEXT NOT NULL,
    owner TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (run_id, shard)
) STRICT;

CREATE TABLE run_log (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    configuration_id INTEGER REFERENCES configuration (id),
    at TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX run_log_run ON run_log (run_id, id);

CREATE INDEX run_log_configuration ON run_log (configuration_id);

CREATE TABLE run_retry (
    run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    configuration_id INTEGER NOT NULL REFERENCES configuration (id),
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run_id, configuration_id, reason)
) STRICT;

CREATE INDEX run_retry_configuration ON run_retry (configuration_id);

CREATE TABLE generation (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'indirect')),
    -- The one probe that was to be written anew; NULL for an event's set.
    probe_id INTEGER REFERENCES probe (id) ON DELETE CASCADE,
    call_id INTEGER REFERENCES model_call (id),
    model TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    facts_hash TEXT NOT NULL,
    context_hash TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    problem TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    at TEXT NOT NULL
, dismissed_by TEXT NOT NULL DEFAULT '', dismissed_at TEXT NOT NULL DEFAULT '') STRICT;

CREATE INDEX generation_event ON generation (event_id, kind, id);

CREATE INDEX generation_probe ON generation (probe_id);

CREATE INDEX generation_call ON generation (call_id);

CREATE TABLE generated_wording (
    revision_id INTEGER PRIMARY KEY REFERENCES probe_revision (id) ON DELETE CASCADE,
    generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
    candidates TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(candidates))
) STRICT;

CREATE INDEX generated_wording_generation ON generated_wording (generation_id);

CREATE INDEX probe_disputed ON probe (id) WHERE disputed = 1;

CREATE TABLE review_bulk (
    id INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    planned INTEGER NOT NULL,
    -- What was chosen, in words.
    scope TEXT NOT NULL DEFAULT '',
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX decision_reviewer ON decision (reviewer, id);

CREATE TABLE review_round (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    shared INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE review_assignment (
    round_id INTEGER NOT NULL REFERENCES review_round (id) ON DELETE CASCADE,
    reviewer TEXT NOT NULL,
    place INTEGER NOT NULL,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    PRIMARY KEY (probe_id, reviewer)
) STRICT;

CREATE INDEX review_assignment_round ON review_assignment (round_id, reviewer, place);

CREATE INDEX review_assignment_reviewer ON review_assignment (reviewer, round_id, place);

CREATE TABLE saved_filter (
    page TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL CHECK (json_valid(content)),
    at TEXT NOT NULL,
    PRIMARY KEY (page, name)
) STRICT;

CREATE VIRTUAL TABLE probe_text USING fts5(text, tokenize='trigram', detail='none');

CREATE TABLE 'probe_text_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'probe_text_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE 'probe_text_content'(id INTEGER PRIMARY KEY, c0);

CREATE TABLE 'probe_text_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'probe_text_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE TRIGGER probe_text_gone AFTER DELETE ON probe_revision BEGIN
    DELETE FROM probe_text WHERE rowid = old.id;
END;

CREATE TABLE lint_check (
    probe_id INTEGER PRIMARY KEY REFERENCES probe (id) ON DELETE CASCADE,
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id) ON DELETE CASCADE,
    event_revision_id INTEGER NOT NULL REFERENCES event_revision (id) ON DELETE CASCADE,
    version TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX lint_check_revision ON lint_check (revision_id);

CREATE INDEX lint_check_event_revision ON lint_check (event_revision_id);

CREATE TABLE lint_waiver (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id) ON DELETE CASCADE,
    facts_hash TEXT NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_by TEXT,
    withdrawn_at TEXT
) STRICT;

CREATE INDEX lint_waiver_probe ON lint_waiver (probe_id);

CREATE INDEX lint_waiver_revision ON lint_waiver (revision_id);

CREATE TABLE lint_finding (
    id INTEGER PRIMARY KEY,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    rule TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('error', 'warning', 'note')),
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    excerpt TEXT NOT NULL,
    why TEXT NOT NULL,
    like_probe_id INTEGER REFERENCES probe (id) ON DELETE CASCADE,
    waiver_id INTEGER REFERENCES lint_waiver (id)
) STRICT;

CREATE INDEX lint_finding_probe ON lint_finding (probe_id);

CREATE INDEX lint_finding_rule ON lint_finding (rule, severity, probe_id);

CREATE INDEX lint_finding_like ON lint_finding (like_probe_id) WHERE like_probe_id IS NOT NULL;

CREATE INDEX lint_finding_waiver ON lint_finding (waiver_id) WHERE waiver_id IS NOT NULL;

CREATE TABLE lint_print (
    print INTEGER NOT NULL,
    probe_id INTEGER NOT NULL REFERENCES probe (id) ON DELETE CASCADE,
    PRIMARY KEY (print, probe_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX lint_print_probe ON lint_print (probe_id);

CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    service TEXT NOT NULL,
    address TEXT NOT NULL,
    -- Of the queries' texts: answers to other queries are not continued.
    plan_hash TEXT NOT NULL,
    started_at TEXT NOT NULL,
    started_by TEXT NOT NULL,
    -- The date of the service's data, as it says itself; empty when it does not say.
    data_date TEXT NOT NULL DEFAULT '',
    completed_at TEXT,
    requests INTEGER NOT NULL DEFAULT 0,
    waited REAL NOT NULL DEFAULT 0,
    lease_owner TEXT NOT NULL DEFAULT '',
    lease_until TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE collection_reply (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    query TEXT NOT NULL,
    part TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('answered', 'out_of_time')),
    rows INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    body_id INTEGER REFERENCES body (id),
    UNIQUE (collection_id, query, part)
) STRICT;

CREATE INDEX collection_reply_body ON collection_reply (body_id);

CREATE TABLE collection_step (
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    dropped INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    PRIMARY KEY (collection_id, ordinal)
) STRICT;

CREATE TABLE candidate (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    -- The id of the statement.
    key TEXT NOT NULL,
    qid TEXT NOT NULL,
    name TEXT NOT NULL,
    date TEXT NOT NULL,
    position TEXT NOT NULL DEFAULT '',
    rank TEXT NOT NULL DEFAULT '',
    facts TEXT CHECK (facts IS NULL OR json_valid(facts)),
    kept INTEGER NOT NULL CHECK (kept IN (0, 1)),
    step TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    marks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(marks)),
    event_id INTEGER REFERENCES event (id) ON DELETE SET NULL,
    UNIQUE (collection_id, key)
) STRICT;

CREATE INDEX candidate_list ON candidate (collection_id, kept, step);

CREATE INDEX candidate_event ON candidate (event_id);

CREATE TABLE put_back (
    id INTEGER PRIMARY KEY,
    category TEXT NOT NULL,
    key TEXT NOT NULL,
    note TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT,
    withdrawn_by TEXT
) STRICT;

CREATE INDEX put_back_key ON put_back (category, key);

CREATE TABLE event_article (
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    about TEXT NOT NULL CHECK (about IN ('entity', 'position')),
    asked TEXT NOT NULL,
    as_of TEXT NOT NULL,
    before_day TEXT NOT NULL DEFAULT '',
    fetched_at TEXT NOT NULL,
    problem TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    page_id INTEGER,
    revision_id INTEGER,
    revised_at TEXT NOT NULL DEFAULT '',
    url TEXT NOT NULL DEFAULT '',
    attribution TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    -- Places that tell of the change: [[start, end, why], …]
    leaks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(leaks)),
    body_id INTEGER REFERENCES body (id),
    PRIMARY KEY (event_id, about)
) STRICT;

CREATE INDEX event_article_body ON event_article (body_id);

CREATE TABLE event_movement (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    movement TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- The facts that it was found for, and those of the source now.
    facts_hash TEXT NOT NULL,
    now TEXT CHECK (now IS NULL OR json_valid(now)),
    service TEXT NOT NULL,
    found_at TEXT NOT NULL,
    answer TEXT CHECK (answer IN ('taken', 'rejected', 'left')),
    note TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL DEFAULT '',
    answered_at TEXT
) STRICT;

CREATE INDEX event_movement_open ON event_movement (event_id) WHERE answer IS NULL;

CREATE INDEX event_movement_event ON event_movement (event_id);

CREATE TABLE event_check (
    event_id INTEGER PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE,
    checked_at TEXT NOT NULL,
    movement TEXT NOT NULL
) STRICT;

CREATE TABLE event_rejection (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    note TEXT NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT,
    withdrawn_by TEXT
) STRICT;

CREATE INDEX event_rejection_event ON event_rejection (event_id);

CREATE TABLE release (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    note TEXT NOT NULL DEFAULT '',
    counts TEXT NOT NULL CHECK (json_valid(counts)),
    -- Of the file of pairs.
    sha256 TEXT NOT NULL,
    datasheet_id INTEGER NOT NULL REFERENCES body (id),
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE INDEX release_datasheet ON release (datasheet_id);

CREATE TABLE release_item (
    release_id INTEGER NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    line_id INTEGER NOT NULL REFERENCES body (id),
    probe_id INTEGER NOT NULL REFERENCES probe (id),
    revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    direct_id INTEGER NOT NULL REFERENCES probe (id),
    direct_revision_id INTEGER NOT NULL REFERENCES probe_revision (id),
    PRIMARY KEY (release_id, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX release_item_line ON release_item (line_id);

CREATE INDEX release_item_probe ON release_item (probe_id);

CREATE INDEX release_item_revision ON release_item (revision_id);

CREATE INDEX release_item_direct ON release_item (direct_id);

CREATE INDEX release_item_direct_revision ON release_item (direct_revision_id);

CREATE INDEX verdict_answer ON verdict (answer_id);

CREATE INDEX classification_answer ON classification (answer_id);

CREATE TABLE lint_counter (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    changes INTEGER NOT NULL
) STRICT;

CREATE TABLE "study" (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('blind', 'assisted', 'blind_then_revealed')),
    state TEXT NOT NULL CHECK (
        state IN ('draft', 'locked', 'practice', 'labelling', 'closed', 'unblinded', 'analysed', 'amended')
    ),
    design TEXT NOT NULL CHECK (json_valid(design)),
    manifest TEXT CHECK (manifest IS NULL OR json_valid(manifest)),
    manifest_sha256 TEXT NOT NULL DEFAULT '',
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE "packet" (
    id TEXT PRIMARY KEY,
    study_id INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
    annotator TEXT NOT NULL,
    layer TEXT NOT NULL CHECK (layer IN ('blind', 'assisted', 'revealed', 'adjudication')),
    digest TEXT NOT NULL,
    items INTEGER NOT NULL,
    issued_at TEXT NOT NULL,
    returned_at TEXT NOT NULL DEFAULT '',
    labels_sha256 TEXT NOT NULL DEFAULT '',
    UNIQUE (study_id, annotator, layer)
) STRICT;

CREATE TABLE practice_label (
    packet_id TEXT NOT NULL REFERENCES packet (id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    item TEXT NOT NULL,
    label TEXT NOT NULL,
    answers TEXT NOT NULL DEFAULT '',
    active_seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (packet_id, sequence)
) STRICT;

CREATE TABLE masked (
    study_id INTEGER NOT NULL,
    item TEXT NOT NULL,
    field TEXT NOT NULL,
    place INTEGER NOT NULL,
    original TEXT NOT NULL,
    PRIMARY KEY (study_id, item, field, place),
    FOREIGN KEY (study_id, item) REFERENCES study_item (study_id, item) ON DELETE CASCADE
) STRICT;

CREATE TABLE generation_claim (
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('direct', 'indirect')),
    holder TEXT NOT NULL,
    -- Renewed while its process is at work: a claim that is over belongs to one that has died.
    until TEXT NOT NULL,
    PRIMARY KEY (event_id, kind)
) STRICT;

CREATE INDEX generation_claim_holder ON generation_claim (holder);

CREATE TABLE case_tag (
    id INTEGER PRIMARY KEY,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    step_number INTEGER,
    tag TEXT NOT NULL CHECK (tag <> ''),
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT '',
    withdrawn_by TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX case_tag_standing ON case_tag (answer_id, ifnull(step_number, -1), tag) WHERE withdrawn_at = '';

CREATE INDEX case_tag_tag ON case_tag (tag, answer_id) WHERE withdrawn_at = '';

CREATE TABLE case_collection (
    id INTEGER PRIMARY KEY,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT '',
    withdrawn_by TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE case_collection_text (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES case_collection (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (name <> ''),
    description TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX case_collection_text_collection ON case_collection_text (collection_id, id);

CREATE TABLE case_collection_item (
    id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES case_collection (id) ON DELETE CASCADE,
    answer_id INTEGER NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    author TEXT NOT NULL,
    at TEXT NOT NULL,
    withdrawn_at TEXT NOT NULL DEFAULT '',
    withdrawn_by TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX case_collection_item_standing ON case_collection_item (collection_id, answer_id)
    WHERE withdrawn_at = '';

CREATE INDEX case_collection_item_answer ON case_collection_item (answer_id);

CREATE VIRTUAL TABLE case_words USING fts5(answer, query, result, reasoning, probe, content='', tokenize='ascii');

CREATE TABLE 'case_words_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'case_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE 'case_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'case_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE VIRTUAL TABLE filter_words USING fts5(answer, query, result, reasoning, probe, content='', tokenize='ascii');

CREATE TABLE 'filter_words_data'(id INTEGER PRIMARY KEY, block BLOB);

CREATE TABLE 'filter_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;

CREATE TABLE 'filter_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB);

CREATE TABLE 'filter_words_config'(k PRIMARY KEY, v) WITHOUT ROWID;

CREATE VIEW v_texts AS
    SELECT id AS text_id, characters, encoding, content FROM body;

CREATE VIEW v_open_cases AS
    SELECT DISTINCT study_item.answer_id FROM study_item JOIN study ON study.id = study_item.study_id
    WHERE study.state IN ('locked', 'practice', 'labelling', 'closed');

CREATE VIEW v_verdicts AS
    SELECT 'btc:' || verdict.answer_id AS reference, verdict.answer_id, verdict.judge, verdict.label,
           verdict.names_entity, verdict.rationale, verdict.unscored, verdict.at
    FROM verdict
    WHERE verdict.is_current = 1 AND verdict.answer_id NOT IN (SELECT answer_id FROM v_open_cases);

CREATE VIEW v_classifications AS
    SELECT 'btc:' || classification.answer_id AS reference, classification.id AS classification_id,
           classification.answer_id, classification.classifier, classification.mode, classification.by_construction,
           classification.rationale, classification.unscored, classification.at
    FROM classification
    WHERE classification.is_current = 1 AND classification.answer_id NOT IN (SELECT answer_id FROM v_open_cases);

CREATE VIEW v_cases AS
    SELECT 'btc:' || answer.id AS reference, answer.id AS answer_id,
           CASE run.purpose WHEN 'filter' THEN 'filter' ELSE 'evaluation' END AS pool,
           run.id AS run_id, run.name AS run, run_item.repetition,
           event.id AS event_id, event.category, event.entity, event.date,
           probe.id AS probe_id, probe.key AS probe, probe.kind,
           ifnull(probe_revision.text, run_item.request) AS probe_text, run_item.sample,
           configuration.id AS configuration_id, configuration.model, configuration.harness, configuration.effort,
           configuration.search, configuration.as_of,
           answer.ending, answer.ending_reason, answer.queries, answer.results,
           answer.body_id AS answer_text_id,
           answer.id IN (SELECT answer_id FROM v_open_cases) AS in_open_study,
           verdict.judge, verdict.label, verdict.names_entity, verdict.unscored,
           CASE verdict.label WHEN 'incorrect' THEN classification.mode END AS mode,
           CASE verdict.label WHEN 'incorrect' THEN classification.by_construction END AS by_construction,
           answer.input_tokens, answer.output_tokens, answer.reasoning_tokens, answer.cost, answer.seconds,
           answer.started_at, answer.finished_at, answer.stored_at
    FROM answer
    JOIN run_item ON run_item.id = answer.run_item_id
    JOIN run ON run.id = run_item.run_id
    JOIN configuration ON configuration.id = run_item.configuration_id
    LEFT JOIN probe ON probe.id = run_item.probe_id
    LEFT JOIN probe_revision ON probe_revision.id = run_item.revision_id
    LEFT JOIN event ON event.id = probe.event_id
    LEFT JOIN verdict ON answer.id NOT IN (SELECT answer_id FROM v_open_cases) AND verdict.id =
        (SELECT max(id) FROM verdict WHERE verdict.answer_id = answer.id AND verdict.is_current = 1
         AND verdict.judge = ifnull((SELECT value FROM project WHERE key = 'primary judge' AND value <> ''),
                                    verdict.judge))
    LEFT JOIN classification ON answer.id NOT IN (SELECT answer_id FROM v_open_cases) AND classification.id =
        (SELECT max(id) FROM classification
         WHERE classification.answer_id = answer.id AND classification.is_current = 1)
    WHERE answer.is_final = 1;

CREATE VIEW v_steps AS
    SELECT 'btc:' || step.answer_id || '#' || step.number AS reference, step.id AS step_id, step.answer_id,
           step.number, step.kind, step.body_id AS text_id, step.output_id AS output_text_id, step.tool, step.agent,
           step.error, step.hidden, step.dropped, step.at, step.seconds
    FROM step;

CREATE VIEW v_query_classes AS
    SELECT 'btc:' || step.answer_id || '#' || step.number AS reference, step.answer_id, step.number,
           query_label.step_id, v_classifications.classifier, query_label.label AS class
    FROM v_classifications
    JOIN query_label ON query_label.classification_id = v_classifications.classification_id
    JOIN step ON step.id = query_label.step_id;

CREATE VIEW v_results AS
    SELECT 'btc:' || step.answer_id || '#' || step.number AS reference, search_result.id AS result_id, step.answer_id,
           step.number, search_result.rank, search_result.title, search_result.url, search_result.published,
           search_result.excerpts_id AS excerpts_text_id
    FROM search_result JOIN step ON step.id = search_result.step_id;

CREATE VIEW v_evidence AS
    SELECT 'btc:' || v_classifications.answer_id AS reference, v_classifications.answer_id, evidence.result_id,
           v_classifications.classifier, evidence.excerpt
    FROM v_classifications JOIN evidence ON evidence.classification_id = v_classifications.classification_id;

CREATE VIEW v_labels AS
    SELECT 'btc:' || study_item.answer_id AS reference, study_item.answer_id, study.name AS study, study.kind,
           packet.layer, human_label.annotator, human_label.label, human_label.confidence, human_label.reason,
           human_label.sequence, study_item.role, study_item.stratum, study_item.frame_count, study_item.drawn_count,
           human_label.active_seconds, human_label.at
    FROM human_label
    JOIN study ON study.id = human_label.study_id AND study.state IN ('unblinded', 'analysed', 'amended')
    JOIN packet ON packet.id = human_label.packet_id
    JOIN study_item ON study_item.study_id = human_label.study_id AND study_item.item = human_label.item
    WHERE human_label.undoes IS NULL AND NOT EXISTS (
        SELECT 1 FROM human_label AS undo
        WHERE undo.packet_id = human_label.packet_id AND undo.undoes = human_label.sequence)
    AND study_item.answer_id NOT IN (SELECT answer_id FROM v_open_cases);

CREATE VIEW v_tags AS
    SELECT 'btc:' || answer_id || ifnull('#' || step_number, '') AS reference, answer_id, step_number, tag, author, at
    FROM case_tag WHERE withdrawn_at = '';

CREATE VIEW v_notes AS
    SELECT 'btc:' || answer_id || ifnull('#' || step_number, '') AS reference, answer_id, step_number, note, author, at
    FROM case_note WHERE withdrawn_at = '';

CREATE VIEW v_collections AS
    SELECT 'btc:' || item.answer_id AS reference, item.answer_id, wording.name AS collection, wording.description,
           row_number() OVER (PARTITION BY item.collection_id ORDER BY item.position, item.id) AS place,
           item.author, item.at
    FROM case_collection_item AS item
    JOIN case_collection ON case_collection.id = item.collection_id AND case_collection.withdrawn_at = ''
    JOIN case_collection_text AS wording ON wording.id = (
        SELECT max(id) FROM case_collection_text WHERE collection_id = item.collection_id)
    JOIN answer ON answer.id = item.answer_id AND answer.is_final = 1
    WHERE item.withdrawn_at = '';

CREATE INDEX decision_new_revision ON decision (new_revision_id) WHERE new_revision_id IS NOT NULL;

CREATE INDEX decision_bulk ON decision (bulk_id) WHERE bulk_id IS NOT NULL;
