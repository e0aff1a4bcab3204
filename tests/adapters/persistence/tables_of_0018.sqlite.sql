CREATE TABLE book (
    book_id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    content_hash VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    author VARCHAR,
    page_source VARCHAR NOT NULL,
    page_count INTEGER NOT NULL,
    chapter_count INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL,
    imported_at DATETIME NOT NULL, first_story_page INTEGER, last_story_page INTEGER, noted_at DATETIME,
    PRIMARY KEY (book_id),
    UNIQUE (scope, content_hash)
);
CREATE TABLE club (
    club_id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    removed_title VARCHAR,
    created_at DATETIME NOT NULL, listen VARCHAR DEFAULT 'questions' NOT NULL,
    PRIMARY KEY (club_id),
    UNIQUE (scope, place)
);
CREATE TABLE inbound_event (
    event_id INTEGER NOT NULL,
    platform VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    message_id VARCHAR NOT NULL,
    payload JSON NOT NULL,
    received_at DATETIME NOT NULL, ref VARCHAR, state VARCHAR DEFAULT 'received' NOT NULL, attempts INTEGER DEFAULT '0' NOT NULL, reply JSON, owner VARCHAR, blame INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (event_id),
    UNIQUE (platform, place, message_id)
);
CREATE TABLE chapter (
    book_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    PRIMARY KEY (book_id, number),
    FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE chunk (
    chunk_id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    book_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    start_page INTEGER NOT NULL,
    end_page INTEGER NOT NULL,
    chapter_number INTEGER,
    text VARCHAR NOT NULL,
    FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE,
    UNIQUE (book_id, number)
);
CREATE TABLE page (
    book_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    label VARCHAR,
    start_offset INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    PRIMARY KEY (book_id, number),
    FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE reading (
    reading_id VARCHAR NOT NULL,
    club_id VARCHAR NOT NULL,
    book_id VARCHAR NOT NULL,
    current_page INTEGER,
    pace VARCHAR NOT NULL,
    page_control VARCHAR NOT NULL,
    last_used_at DATETIME NOT NULL, edition JSON,
    PRIMARY KEY (reading_id),
    FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE,
    FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE,
    UNIQUE (club_id, book_id)
);
CREATE TABLE chunk_vector (
    chunk_id INTEGER NOT NULL,
    model_id VARCHAR NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (chunk_id, model_id),
    FOREIGN KEY(chunk_id) REFERENCES chunk (chunk_id) ON DELETE CASCADE
);
CREATE TABLE conversation (
    conversation_id VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    reading_id VARCHAR NOT NULL,
    current_page INTEGER,
    has_own_position BOOLEAN NOT NULL,
    listen VARCHAR NOT NULL,
    created_at DATETIME NOT NULL,
    PRIMARY KEY (conversation_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE,
    UNIQUE (session_id)
);
CREATE TABLE member_position (
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    current_page INTEGER,
    last_spoke_at DATETIME, edition JSON, recapped_page INTEGER,
    PRIMARY KEY (reading_id, member_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE position_change (
    change_id INTEGER NOT NULL,
    reading_id VARCHAR NOT NULL,
    conversation_id VARCHAR,
    member_id VARCHAR NOT NULL,
    from_page INTEGER,
    from_has_own BOOLEAN NOT NULL,
    to_page INTEGER,
    to_has_own BOOLEAN NOT NULL,
    undone BOOLEAN NOT NULL,
    changed_at DATETIME NOT NULL,
    PRIMARY KEY (change_id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (conversation_id) ON DELETE CASCADE,
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE turn (
    turn_id INTEGER NOT NULL,
    conversation_id VARCHAR NOT NULL,
    turn_number INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    position INTEGER,
    asked_by VARCHAR,
    user_query VARCHAR NOT NULL,
    agent_response VARCHAR,
    guardrail_score INTEGER,
    retrieval_attempts INTEGER NOT NULL,
    rewritten_query VARCHAR,
    sources JSON NOT NULL,
    reasoning_steps JSON NOT NULL,
    provider VARCHAR,
    model VARCHAR,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost_micro_usd INTEGER,
    duration_ms INTEGER,
    error_code VARCHAR,
    feedback INTEGER,
    created_at DATETIME NOT NULL, guardrail_reasoning VARCHAR, max_iterations_reached BOOLEAN, blocks JSON,
    PRIMARY KEY (turn_id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (conversation_id) ON DELETE CASCADE,
    UNIQUE (conversation_id, turn_number)
);
CREATE TABLE message (
    message_id INTEGER NOT NULL,
    conversation_id VARCHAR NOT NULL,
    turn_id INTEGER,
    role VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    platform_ref VARCHAR,
    author_id VARCHAR,
    author_name VARCHAR,
    position INTEGER,
    reveals_page INTEGER,
    invocation_id VARCHAR,
    tool_name VARCHAR,
    tool_arguments JSON,
    is_error BOOLEAN NOT NULL,
    created_at DATETIME NOT NULL,
    PRIMARY KEY (message_id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (conversation_id) ON DELETE CASCADE,
    FOREIGN KEY(turn_id) REFERENCES turn (turn_id) ON DELETE CASCADE,
    UNIQUE (platform_ref)
);
CREATE TABLE note (
    book_id VARCHAR NOT NULL,
    page INTEGER NOT NULL,
    number INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    written_by VARCHAR,
    written_at DATETIME,
    moved_from INTEGER,
    PRIMARY KEY (book_id, page, number),
    FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE note_making (
    book_id VARCHAR NOT NULL,
    most_tokens INTEGER NOT NULL,
    asked_in VARCHAR NOT NULL,
    begun_at DATETIME NOT NULL,
    PRIMARY KEY (book_id),
    FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE note_batch (
    book_id VARCHAR NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    PRIMARY KEY (book_id, first_page),
    FOREIGN KEY(book_id) REFERENCES note_making (book_id) ON DELETE CASCADE
);
CREATE TABLE alias (
    alias_id INTEGER NOT NULL,
    reading_id VARCHAR NOT NULL,
    "key" VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    stands_for VARCHAR NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (alias_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE page_said (
    page_said_id INTEGER NOT NULL,
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    page INTEGER NOT NULL,
    said_at DATETIME NOT NULL,
    PRIMARY KEY (page_said_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE keepsake (
    keepsake_id INTEGER NOT NULL,
    reading_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    member_name VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    made_at INTEGER NOT NULL,
    opens_at INTEGER NOT NULL,
    had_read_further BOOLEAN NOT NULL,
    told BOOLEAN NOT NULL,
    created_at DATETIME NOT NULL,
    PRIMARY KEY (keepsake_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE keepsake_vote (
    keepsake_id INTEGER NOT NULL,
    member_id VARCHAR NOT NULL,
    vote VARCHAR NOT NULL,
    PRIMARY KEY (keepsake_id, member_id),
    FOREIGN KEY(keepsake_id) REFERENCES keepsake (keepsake_id) ON DELETE CASCADE
);
CREATE TABLE timer (
    timer_id INTEGER NOT NULL,
    club_id VARCHAR NOT NULL,
    reading_id VARCHAR,
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    thread VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    payload JSON NOT NULL,
    due_at DATETIME NOT NULL,
    too_late_at DATETIME NOT NULL,
    state VARCHAR NOT NULL,
    not_before DATETIME NOT NULL,
    claim VARCHAR,
    begun_at DATETIME,
    attempts INTEGER NOT NULL,
    PRIMARY KEY (timer_id),
    FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE,
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE,
    UNIQUE (club_id, kind, name)
);
CREATE TABLE club_text (
    club_text_id INTEGER NOT NULL,
    reading_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    kept_at DATETIME NOT NULL,
    PRIMARY KEY (club_text_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE later_question (
    later_id INTEGER NOT NULL,
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    asked_page INTEGER NOT NULL,
    due_page INTEGER NOT NULL,
    kept_at DATETIME NOT NULL,
    PRIMARY KEY (later_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE schedule (
    reading_id VARCHAR NOT NULL,
    at VARCHAR NOT NULL,
    zone VARCHAR NOT NULL,
    weeks INTEGER NOT NULL,
    reminds BOOLEAN NOT NULL,
    reminds_in VARCHAR NOT NULL,
    role VARCHAR NOT NULL,
    wanted_by VARCHAR NOT NULL,
    PRIMARY KEY (reading_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE section (
    reading_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    day VARCHAR NOT NULL,
    thread VARCHAR NOT NULL,
    PRIMARY KEY (reading_id, number),
    FOREIGN KEY(reading_id) REFERENCES schedule (reading_id) ON DELETE CASCADE
);
CREATE TABLE proposal (
    club_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    PRIMARY KEY (club_id, member_id),
    FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE
);
CREATE TABLE poll (
    poll_id INTEGER NOT NULL,
    club_id VARCHAR NOT NULL,
    proposals JSON NOT NULL,
    is_open BOOLEAN NOT NULL,
    opened_at DATETIME NOT NULL,
    PRIMARY KEY (poll_id),
    FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE
);
CREATE TABLE poll_vote (
    poll_id INTEGER NOT NULL,
    member_id VARCHAR NOT NULL,
    option INTEGER NOT NULL,
    PRIMARY KEY (poll_id, member_id),
    FOREIGN KEY(poll_id) REFERENCES poll (poll_id) ON DELETE CASCADE
);
CREATE TABLE rating (
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    stars INTEGER,
    how_far VARCHAR,
    PRIMARY KEY (reading_id, member_id),
    FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE left_server (
    scope VARCHAR NOT NULL,
    left_at DATETIME NOT NULL,
    PRIMARY KEY (scope)
);
CREATE INDEX ix_book_scope ON book (scope);
CREATE INDEX ix_reading_book_id ON reading (book_id);
CREATE INDEX ix_reading_club_id ON reading (club_id);
CREATE INDEX ix_conversation_reading_id ON conversation (reading_id);
CREATE INDEX ix_position_change_conversation_id ON position_change (conversation_id);
CREATE INDEX ix_position_change_reading_id ON position_change (reading_id);
CREATE INDEX ix_message_conversation_id ON message (conversation_id);
CREATE INDEX ix_message_turn_id ON message (turn_id);
CREATE INDEX ix_turn_asked_by_conversation_id ON turn (asked_by, conversation_id);
CREATE INDEX ix_chunk_book_id_start_page ON chunk (book_id, start_page);
CREATE INDEX ix_inbound_event_undone ON inbound_event (platform, event_id) WHERE state <> 'done';
CREATE INDEX ix_inbound_event_undone_ref ON inbound_event (ref) WHERE state <> 'done';
CREATE INDEX ix_alias_reading_id_key_page ON alias (reading_id, "key", page);
CREATE INDEX ix_page_said_reading_id_member_id ON page_said (reading_id, member_id);
CREATE INDEX ix_keepsake_reading_id_opens_at ON keepsake (reading_id, opens_at);
CREATE INDEX ix_timer_reading_id ON timer (reading_id);
CREATE INDEX ix_timer_state_not_before ON timer (state, not_before);
CREATE INDEX ix_club_text_reading_id_kind ON club_text (reading_id, kind);
CREATE INDEX ix_later_question_reading_id_member_id ON later_question (reading_id, member_id);
CREATE INDEX ix_poll_club_id ON poll (club_id);
