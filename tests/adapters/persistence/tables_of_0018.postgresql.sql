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
    imported_at TIMESTAMP WITH TIME ZONE NOT NULL,
    first_story_page INTEGER,
    last_story_page INTEGER,
    noted_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT book_pkey PRIMARY KEY (book_id),
    CONSTRAINT book_scope_content_hash_key UNIQUE NULLS DISTINCT (scope, content_hash)
);
CREATE INDEX ix_book_scope ON book (scope);
CREATE TABLE club (
    club_id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    removed_title VARCHAR,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    listen VARCHAR DEFAULT 'questions'::character varying NOT NULL,
    CONSTRAINT club_pkey PRIMARY KEY (club_id),
    CONSTRAINT club_scope_place_key UNIQUE NULLS DISTINCT (scope, place)
);
CREATE TABLE inbound_event (
    event_id SERIAL NOT NULL,
    platform VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    message_id VARCHAR NOT NULL,
    payload JSON NOT NULL,
    received_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ref VARCHAR,
    state VARCHAR DEFAULT 'received'::character varying NOT NULL,
    attempts INTEGER DEFAULT 0 NOT NULL,
    reply JSON,
    owner VARCHAR,
    blame INTEGER DEFAULT 0 NOT NULL,
    CONSTRAINT inbound_event_pkey PRIMARY KEY (event_id),
    CONSTRAINT inbound_event_platform_place_message_id_key UNIQUE NULLS DISTINCT (platform, place, message_id)
);
CREATE INDEX ix_inbound_event_undone ON inbound_event (platform, event_id) WHERE ((state)::text <> 'done'::text);
CREATE INDEX ix_inbound_event_undone_ref ON inbound_event (ref) WHERE ((state)::text <> 'done'::text);
CREATE TABLE left_server (
    scope VARCHAR NOT NULL,
    left_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
    CONSTRAINT left_server_pkey PRIMARY KEY (scope)
);
CREATE TABLE chapter (
    book_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    CONSTRAINT chapter_pkey PRIMARY KEY (book_id, number),
    CONSTRAINT chapter_book_id_fkey FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE chunk (
    chunk_id SERIAL NOT NULL,
    book_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    start_page INTEGER NOT NULL,
    end_page INTEGER NOT NULL,
    chapter_number INTEGER,
    text VARCHAR NOT NULL,
    CONSTRAINT chunk_pkey PRIMARY KEY (chunk_id),
    CONSTRAINT chunk_book_id_fkey FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE,
    CONSTRAINT chunk_book_id_number_key UNIQUE NULLS DISTINCT (book_id, number)
);
CREATE INDEX ix_chunk_book_id_start_page ON chunk (book_id, start_page);
CREATE TABLE note (
    book_id VARCHAR NOT NULL,
    page INTEGER NOT NULL,
    number INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    written_by VARCHAR,
    written_at TIMESTAMP WITH TIME ZONE,
    moved_from INTEGER,
    CONSTRAINT note_pkey PRIMARY KEY (book_id, page, number),
    CONSTRAINT note_book_id_fkey FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE note_making (
    book_id VARCHAR NOT NULL,
    most_tokens INTEGER NOT NULL,
    asked_in VARCHAR NOT NULL,
    begun_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT note_making_pkey PRIMARY KEY (book_id),
    CONSTRAINT note_making_book_id_fkey FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE page (
    book_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    label VARCHAR,
    start_offset INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    CONSTRAINT page_pkey PRIMARY KEY (book_id, number),
    CONSTRAINT page_book_id_fkey FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE
);
CREATE TABLE poll (
    poll_id SERIAL NOT NULL,
    club_id VARCHAR NOT NULL,
    proposals JSON NOT NULL,
    is_open BOOLEAN NOT NULL,
    opened_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT poll_pkey PRIMARY KEY (poll_id),
    CONSTRAINT poll_club_id_fkey FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE
);
CREATE INDEX ix_poll_club_id ON poll (club_id);
CREATE TABLE proposal (
    club_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    author VARCHAR NOT NULL,
    CONSTRAINT proposal_pkey PRIMARY KEY (club_id, member_id),
    CONSTRAINT proposal_club_id_fkey FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE
);
CREATE TABLE reading (
    reading_id VARCHAR NOT NULL,
    club_id VARCHAR NOT NULL,
    book_id VARCHAR NOT NULL,
    current_page INTEGER,
    pace VARCHAR NOT NULL,
    page_control VARCHAR NOT NULL,
    last_used_at TIMESTAMP WITH TIME ZONE NOT NULL,
    edition JSON,
    CONSTRAINT reading_pkey PRIMARY KEY (reading_id),
    CONSTRAINT reading_book_id_fkey FOREIGN KEY(book_id) REFERENCES book (book_id) ON DELETE CASCADE,
    CONSTRAINT reading_club_id_fkey FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE,
    CONSTRAINT reading_club_id_book_id_key UNIQUE NULLS DISTINCT (club_id, book_id)
);
CREATE INDEX ix_reading_book_id ON reading (book_id);
CREATE INDEX ix_reading_club_id ON reading (club_id);
CREATE TABLE alias (
    alias_id SERIAL NOT NULL,
    reading_id VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    stands_for VARCHAR NOT NULL,
    page INTEGER NOT NULL,
    CONSTRAINT alias_pkey PRIMARY KEY (alias_id),
    CONSTRAINT alias_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE INDEX ix_alias_reading_id_key_page ON alias (reading_id, key, page);
CREATE TABLE chunk_vector (
    chunk_id INTEGER NOT NULL,
    model_id VARCHAR NOT NULL,
    vector BYTEA NOT NULL,
    CONSTRAINT chunk_vector_pkey PRIMARY KEY (chunk_id, model_id),
    CONSTRAINT chunk_vector_chunk_id_fkey FOREIGN KEY(chunk_id) REFERENCES chunk (chunk_id) ON DELETE CASCADE
);
CREATE TABLE club_text (
    club_text_id SERIAL NOT NULL,
    reading_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    text VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    kept_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT club_text_pkey PRIMARY KEY (club_text_id),
    CONSTRAINT club_text_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE INDEX ix_club_text_reading_id_kind ON club_text (reading_id, kind);
CREATE TABLE conversation (
    conversation_id VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    reading_id VARCHAR NOT NULL,
    current_page INTEGER,
    has_own_position BOOLEAN NOT NULL,
    listen VARCHAR NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT conversation_pkey PRIMARY KEY (conversation_id),
    CONSTRAINT conversation_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE,
    CONSTRAINT conversation_session_id_key UNIQUE NULLS DISTINCT (session_id)
);
CREATE INDEX ix_conversation_reading_id ON conversation (reading_id);
CREATE TABLE keepsake (
    keepsake_id SERIAL NOT NULL,
    reading_id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    member_name VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    made_at INTEGER NOT NULL,
    opens_at INTEGER NOT NULL,
    had_read_further BOOLEAN NOT NULL,
    told BOOLEAN NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT keepsake_pkey PRIMARY KEY (keepsake_id),
    CONSTRAINT keepsake_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE INDEX ix_keepsake_reading_id_opens_at ON keepsake (reading_id, opens_at);
CREATE TABLE later_question (
    later_id SERIAL NOT NULL,
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    asked_page INTEGER NOT NULL,
    due_page INTEGER NOT NULL,
    kept_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT later_question_pkey PRIMARY KEY (later_id),
    CONSTRAINT later_question_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE INDEX ix_later_question_reading_id_member_id ON later_question (reading_id, member_id);
CREATE TABLE member_position (
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    current_page INTEGER,
    last_spoke_at TIMESTAMP WITH TIME ZONE,
    edition JSON,
    recapped_page INTEGER,
    CONSTRAINT member_position_pkey PRIMARY KEY (reading_id, member_id),
    CONSTRAINT member_position_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE note_batch (
    book_id VARCHAR NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    CONSTRAINT note_batch_pkey PRIMARY KEY (book_id, first_page),
    CONSTRAINT note_batch_book_id_fkey FOREIGN KEY(book_id) REFERENCES note_making (book_id) ON DELETE CASCADE
);
CREATE TABLE page_said (
    page_said_id SERIAL NOT NULL,
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    page INTEGER NOT NULL,
    said_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT page_said_pkey PRIMARY KEY (page_said_id),
    CONSTRAINT page_said_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE INDEX ix_page_said_reading_id_member_id ON page_said (reading_id, member_id);
CREATE TABLE poll_vote (
    poll_id INTEGER NOT NULL,
    member_id VARCHAR NOT NULL,
    option INTEGER NOT NULL,
    CONSTRAINT poll_vote_pkey PRIMARY KEY (poll_id, member_id),
    CONSTRAINT poll_vote_poll_id_fkey FOREIGN KEY(poll_id) REFERENCES poll (poll_id) ON DELETE CASCADE
);
CREATE TABLE rating (
    reading_id VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    stars INTEGER,
    how_far VARCHAR,
    CONSTRAINT rating_pkey PRIMARY KEY (reading_id, member_id),
    CONSTRAINT rating_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
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
    CONSTRAINT schedule_pkey PRIMARY KEY (reading_id),
    CONSTRAINT schedule_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE TABLE timer (
    timer_id SERIAL NOT NULL,
    club_id VARCHAR NOT NULL,
    reading_id VARCHAR,
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    thread VARCHAR NOT NULL,
    member_id VARCHAR NOT NULL,
    payload JSON NOT NULL,
    due_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
    too_late_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
    state VARCHAR NOT NULL,
    not_before TIMESTAMP WITHOUT TIME ZONE NOT NULL,
    claim VARCHAR,
    begun_at TIMESTAMP WITHOUT TIME ZONE,
    attempts INTEGER NOT NULL,
    CONSTRAINT timer_pkey PRIMARY KEY (timer_id),
    CONSTRAINT timer_club_id_fkey FOREIGN KEY(club_id) REFERENCES club (club_id) ON DELETE CASCADE,
    CONSTRAINT timer_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE,
    CONSTRAINT timer_club_id_kind_name_key UNIQUE NULLS DISTINCT (club_id, kind, name)
);
CREATE INDEX ix_timer_reading_id ON timer (reading_id);
CREATE INDEX ix_timer_state_not_before ON timer (state, not_before);
CREATE TABLE keepsake_vote (
    keepsake_id INTEGER NOT NULL,
    member_id VARCHAR NOT NULL,
    vote VARCHAR NOT NULL,
    CONSTRAINT keepsake_vote_pkey PRIMARY KEY (keepsake_id, member_id),
    CONSTRAINT keepsake_vote_keepsake_id_fkey FOREIGN KEY(keepsake_id) REFERENCES keepsake (keepsake_id) ON DELETE CASCADE
);
CREATE TABLE position_change (
    change_id SERIAL NOT NULL,
    reading_id VARCHAR NOT NULL,
    conversation_id VARCHAR,
    member_id VARCHAR NOT NULL,
    from_page INTEGER,
    from_has_own BOOLEAN NOT NULL,
    to_page INTEGER,
    to_has_own BOOLEAN NOT NULL,
    undone BOOLEAN NOT NULL,
    changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT position_change_pkey PRIMARY KEY (change_id),
    CONSTRAINT position_change_conversation_id_fkey FOREIGN KEY(conversation_id) REFERENCES conversation (conversation_id) ON DELETE CASCADE,
    CONSTRAINT position_change_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES reading (reading_id) ON DELETE CASCADE
);
CREATE INDEX ix_position_change_conversation_id ON position_change (conversation_id);
CREATE INDEX ix_position_change_reading_id ON position_change (reading_id);
CREATE TABLE section (
    reading_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    first_page INTEGER NOT NULL,
    last_page INTEGER NOT NULL,
    day VARCHAR NOT NULL,
    thread VARCHAR NOT NULL,
    CONSTRAINT section_pkey PRIMARY KEY (reading_id, number),
    CONSTRAINT section_reading_id_fkey FOREIGN KEY(reading_id) REFERENCES schedule (reading_id) ON DELETE CASCADE
);
CREATE TABLE turn (
    turn_id SERIAL NOT NULL,
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
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    guardrail_reasoning VARCHAR,
    max_iterations_reached BOOLEAN,
    blocks JSON,
    CONSTRAINT turn_pkey PRIMARY KEY (turn_id),
    CONSTRAINT turn_conversation_id_fkey FOREIGN KEY(conversation_id) REFERENCES conversation (conversation_id) ON DELETE CASCADE,
    CONSTRAINT turn_conversation_id_turn_number_key UNIQUE NULLS DISTINCT (conversation_id, turn_number)
);
CREATE INDEX ix_turn_asked_by_conversation_id ON turn (asked_by, conversation_id);
CREATE TABLE message (
    message_id SERIAL NOT NULL,
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
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT message_pkey PRIMARY KEY (message_id),
    CONSTRAINT message_conversation_id_fkey FOREIGN KEY(conversation_id) REFERENCES conversation (conversation_id) ON DELETE CASCADE,
    CONSTRAINT message_turn_id_fkey FOREIGN KEY(turn_id) REFERENCES turn (turn_id) ON DELETE CASCADE,
    CONSTRAINT message_platform_ref_key UNIQUE NULLS DISTINCT (platform_ref)
);
CREATE INDEX ix_message_conversation_id ON message (conversation_id);
CREATE INDEX ix_message_turn_id ON message (turn_id);
