import Runtime

/// The layout of the database and how it came to be.
///
/// `PRAGMA user_version` counts the migrations a file has had. They are appended, never edited: files written by any
/// earlier version are out there. Each one sets the version itself, in the transaction that makes its changes.
enum Schema {
    /// Marks the file as Confab's (`PRAGMA application_id`): "Cnfb" in ASCII.
    static let applicationID: Int64 = 0x436E_6662

    static var version: Int64 { Int64(migrations.count) }

    static let migrations: [StaticString] = [
        """
        PRAGMA application_id = 1131308642;

        -- AUTOINCREMENT: an id is never given twice, so what still holds one of a deleted row touches no other.
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            name_folded TEXT NOT NULL UNIQUE,
            email TEXT,
            email_folded TEXT UNIQUE,
            first_name TEXT,
            last_name TEXT,
            password_hash TEXT NOT NULL,
            registered_at INTEGER NOT NULL,
            CHECK ((email IS NULL) = (email_folded IS NULL))
        ) STRICT;

        CREATE TABLE exchanges (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            network TEXT NOT NULL,
            -- The channel folded, or '' in private; with account and network it names the conversation.
            place TEXT NOT NULL,
            channel TEXT,
            nick TEXT NOT NULL,
            question TEXT NOT NULL,
            answer TEXT,
            state TEXT NOT NULL DEFAULT 'pending'
                CHECK (state IN ('pending', 'answered', 'undelivered', 'failed', 'interrupted')),
            failure TEXT,
            model TEXT,
            is_cut INTEGER NOT NULL DEFAULT 0,
            prompt_tokens INTEGER,
            completion_tokens INTEGER,
            asked_at INTEGER NOT NULL,
            ended_at INTEGER,
            -- Whether the person knows that it was interrupted.
            is_told INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account_id, number),
            CHECK ((channel IS NULL) = (place = '')),
            CHECK (answer IS NOT NULL OR state NOT IN ('answered', 'undelivered'))
        ) STRICT;

        CREATE INDEX exchanges_in_conversation ON exchanges (account_id, network, place, number)
            WHERE state IN ('answered', 'undelivered');
        CREATE INDEX exchanges_unfinished ON exchanges (id) WHERE state = 'pending';
        CREATE INDEX exchanges_untold ON exchanges (account_id, number) WHERE state = 'interrupted' AND is_told = 0;

        PRAGMA user_version = 1;
        """,
        """
        ALTER TABLE accounts ADD COLUMN is_administrator INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
        -- Goes up with everything that ends all logins of the account.
        ALTER TABLE accounts ADD COLUMN login_epoch INTEGER NOT NULL DEFAULT 0;
        -- 'network user@host' of whoever said the password in public; until it is another, it opens nothing.
        ALTER TABLE accounts ADD COLUMN password_exposed_by TEXT;
        ALTER TABLE accounts ADD COLUMN is_email_verified INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE accounts ADD COLUMN last_login_at INTEGER;
        -- 'network host'.
        ALTER TABLE accounts ADD COLUMN last_login_from TEXT;

        -- Wrong passwords that the owner was not told of yet.
        CREATE TABLE failed_logins (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            network TEXT NOT NULL,
            host TEXT NOT NULL,
            count INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, network, host)
        ) STRICT, WITHOUT ROWID;

        -- Accounts at services of networks that log in without a password; their names are folded as ASCII.
        CREATE TABLE services_links (
            network TEXT NOT NULL,
            services_account TEXT NOT NULL,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            linked_at INTEGER NOT NULL,
            PRIMARY KEY (network, services_account)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX services_links_of_account ON services_links (account_id);

        -- Codes sent by e-mail; their hashes only.
        CREATE TABLE codes (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            purpose TEXT NOT NULL CHECK (purpose IN ('reset', 'verify')),
            hash TEXT NOT NULL,
            -- The address it went to, folded: a code proves that address and no later one.
            email_folded TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            tries_left INTEGER NOT NULL,
            PRIMARY KEY (account_id, purpose)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ignores (
            -- An account name, or a mask with an ! or @ in it; folded as ASCII.
            pattern TEXT PRIMARY KEY,
            expires_at INTEGER,
            made_by TEXT NOT NULL,
            made_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- What administrators did. Names rather than ids: it outlives the accounts it speaks of.
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL
        ) STRICT;

        PRAGMA user_version = 2;
        """,
        """
        -- Bytes of the answer's plain lines, each with a line end, that its asker has got; NULL where nothing is left.
        ALTER TABLE exchanges ADD COLUMN said INTEGER;
        -- The number of the exchange whose question this one asks again.
        ALTER TABLE exchanges ADD COLUMN retry_of INTEGER;
        CREATE INDEX exchanges_unread ON exchanges (account_id, number) WHERE said IS NOT NULL OR state = 'undelivered';

        -- Conversations that were begun afresh, and the last exchange before that.
        CREATE TABLE conversations (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            network TEXT NOT NULL,
            place TEXT NOT NULL,
            starts_after INTEGER NOT NULL,
            PRIMARY KEY (account_id, network, place)
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 3;
        """,
        """
        -- Guesses are slowed down by where they come from: a few wrong codes of an enemy must not use up the owner's.
        ALTER TABLE codes DROP COLUMN tries_left;

        PRAGMA user_version = 4;
        """,
        """
        -- What people set for themselves; NULL for what the operator decided.
        ALTER TABLE accounts ADD COLUMN listen TEXT;
        ALTER TABLE accounts ADD COLUMN format TEXT;
        ALTER TABLE accounts ADD COLUMN model TEXT;
        ALTER TABLE accounts ADD COLUMN language TEXT;
        ALTER TABLE accounts ADD COLUMN lines INTEGER;
        ALTER TABLE accounts ADD COLUMN persona TEXT;

        PRAGMA user_version = 5;
        """,
        """
        -- Where channel operators told the bot to be silent; the channel's name is folded.
        CREATE TABLE quiet_channels (
            network TEXT NOT NULL,
            channel TEXT NOT NULL,
            PRIMARY KEY (network, channel)
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 6;
        """,
        """
        -- So that the turns of a conversation that were asked again are found without reading all of it.
        CREATE INDEX exchanges_retries ON exchanges (account_id, retry_of) WHERE retry_of IS NOT NULL;

        PRAGMA user_version = 7;
        """,
        """
        -- Who is logged in, to be told after a restart; no more than that is done with it.
        CREATE TABLE open_logins (
            network TEXT NOT NULL,
            nick TEXT NOT NULL,
            address TEXT NOT NULL,
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            PRIMARY KEY (network, nick, address)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX open_logins_of_account ON open_logins (account_id);

        PRAGMA user_version = 8;
        """,
        """
        -- Names by which networks say that somebody has no services account.
        DELETE FROM services_links WHERE services_account IN ('', '*', '0');

        -- From where people logged in to their account, as 'network user@host', or as 'network host' by an earlier version.
        CREATE TABLE login_sources (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            source TEXT NOT NULL,
            last_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, source)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO login_sources SELECT id, last_login_from, coalesce(last_login_at, 0) FROM accounts
            WHERE last_login_from IS NOT NULL;
        ALTER TABLE accounts DROP COLUMN last_login_from;

        -- A code goes on being good when another is sent: whoever asks for one ends none that is under way.
        DROP TABLE codes;
        CREATE TABLE codes (
            account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            purpose TEXT NOT NULL CHECK (purpose IN ('reset', 'verify')),
            hash TEXT NOT NULL,
            -- The address it went to, folded: a code proves that address and no later one.
            email_folded TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, purpose, hash)
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 9;
        """,
        """
        -- While an answer is being said: the place in it, counted as in said, up to which it is written to the network or
        -- about to be. NULL where nothing of it is still to be written, as with all that earlier versions stored.
        ALTER TABLE exchanges ADD COLUMN saying INTEGER;
        CREATE INDEX exchanges_being_said ON exchanges (id) WHERE saying IS NOT NULL;

        PRAGMA user_version = 10;
        """,
    ]

    /// Refuses a file that is not Confab's, or that a later Confab wrote; changes nothing.
    static func check(_ connection: Connection) throws(StoreFailure) {
        let application = try connection.number("PRAGMA application_id")
        let version = try connection.number("PRAGMA user_version")
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
        let isNew = application == 0 && version == 0 && tables == 0
        guard application == applicationID || isNew else {
            throw StoreFailure(
                .other, "the database belongs to another program (application_id \(application))",
                hint: "Give the bot a state_directory of its own.")
        }
        guard version >= 0 else { throw StoreFailure(.damaged, "the database has schema \(version), which cannot be") }
        guard version <= self.version else {
            throw StoreFailure(.newer, "the database has schema \(version), this Confab knows up to \(self.version)")
        }
    }

    /// Refuses a file that this version would have to migrate; changes nothing.
    static func checkVersion(_ connection: Connection) throws(StoreFailure) {
        let version = try connection.number("PRAGMA user_version")
        guard version != self.version else { return }
        throw StoreFailure(
            .other, "the database has schema \(version), this Confab works with \(self.version)",
            hint: "Start the bot of this version once: it brings the database up to date.")
    }

    /// Refuses a damaged file, as long as reading all of it takes no noticeable part of a start.
    ///
    /// Damage in a larger one shows when the pages it is in are read, as a failure of that one call.
    static func checkPages(_ connection: Connection, log: Log) throws(StoreFailure) {
        let size = try connection.number("PRAGMA page_count") * connection.number("PRAGMA page_size")
        guard size <= checkedSize else {
            log.info("the database is too large to be checked at every start", ["bytes": size])
            return
        }
        let findings = try connection.rows("PRAGMA quick_check(1)") { (row) throws(StoreFailure) in row.text(0) }
        guard findings == ["ok"] else { throw StoreFailure(.damaged, findings.joined(separator: "; ")) }
    }

    /// 64 MiB: about a second of `quick_check` from a slow disk.
    private static let checkedSize: Int64 = 64 << 20

    /// Brings a checked file to the present version, each step whole or not at all.
    static func migrate(_ connection: Connection, log: Log) throws(StoreFailure) {
        let version = try connection.number("PRAGMA user_version")
        for migration in migrations.dropFirst(Int(version)) {
            try connection.run("BEGIN IMMEDIATE")
            do {
                try connection.execute(script: migration)
                try connection.run("COMMIT")
            } catch {
                if connection.isInTransaction { try? connection.run("ROLLBACK") }
                throw error
            }
        }
        if version != self.version { log.info("database migrated", ["from": version, "to": self.version]) }
    }
}
