#if SQLite
  /// How a database is opened and written.
  public struct SQLiteConfiguration: Hashable, Sendable {
    /// What may be done with the database.
    public enum Access: Hashable, Sendable {
      /// It is read and written, and made if it is not there.
      case readWrite
      /// It is only read. Nothing is written, not even beside it: it may lie where nothing can be.
      ///
      /// A database with a write-ahead log whose other users have closed it is read as a file that
      /// nobody changes.
      case readOnly
    }

    /// How the file records what is committed.
    public enum Journal: Hashable, Sendable {
      /// In a write-ahead log: reads go on during a write.
      ///
      /// A database without one is switched when it is opened, and keeps the mode after it is
      /// closed, for other programs too.
      case writeAheadLog
      /// As the database does already. Without a write-ahead log, reads and writes wait for each
      /// other, up to the busy timeout.
      case unchanged
    }

    /// What a commit waits for.
    public enum Synchronous: String, Hashable, Sendable {
      /// Nothing. When the machine loses power, the database may be damaged; when only the program
      /// ends, nothing is lost.
      case off = "OFF"
      /// The log is written, not waited for. When the machine loses power, the last commits may be
      /// lost, as if they had not been made; the database is sound.
      case normal = "NORMAL"
      /// The log is on the disk. No commit is lost, as far as the disk does what it says.
      case full = "FULL"
    }

    /// What may be done with the database.
    public var access: Access
    /// The largest number of connections that read at the same time, at least 1.
    ///
    /// They are opened when they are needed. A database in memory has one connection for
    /// everything.
    public var readers: Int
    /// How long to wait while another connection holds the database, before `SQLITE_BUSY` is
    /// thrown.
    ///
    /// Whoever waits is suspended, and ends at once if the task is cancelled; only opening a store
    /// blocks its thread.
    public var busyTimeout: Duration
    /// What a commit waits for.
    public var synchronous: Synchronous
    /// How a database that is opened for writing records what is committed.
    public var journal: Journal
    /// How many bytes of the file each connection keeps in memory at most.
    ///
    /// Where the records that are read lie far apart, a page of the file is read for each of them,
    /// and read again if it was dropped meanwhile.
    public var pageCache: Int
    /// SQL that is run when the database has been opened for writing, before the tables are looked
    /// for: such as `CREATE TABLE IF NOT EXISTS …`.
    public var setup: String?

    /// Chooses how a database is opened.
    ///
    /// - Parameters:
    ///   - access: What may be done with the database.
    ///   - readers: The largest number of connections that read at the same time.
    ///   - busyTimeout: How long to wait while another connection holds the database.
    ///   - synchronous: What a commit waits for.
    ///   - journal: How the file records what is committed.
    ///   - pageCache: How many bytes of the file each connection keeps in memory at most; 16 MiB by
    ///     default.
    ///   - setup: SQL to run before the tables are looked for.
    public init(
      access: Access = .readWrite, readers: Int = 4, busyTimeout: Duration = .seconds(5),
      synchronous: Synchronous = .full, journal: Journal = .writeAheadLog,
      pageCache: Int = 16 << 20, setup: String? = nil
    ) {
      self.access = access
      self.readers = max(1, readers)
      self.busyTimeout = busyTimeout
      self.synchronous = synchronous
      self.journal = journal
      self.pageCache = max(0, pageCache)
      self.setup = setup
    }
  }
#endif
