#if SQLite
  /// The settings for opening and writing a database.
  public struct SQLiteConfiguration: Hashable, Sendable {
    /// The allowed access to a database.
    public enum Access: Hashable, Sendable {
      /// Reads and writes the database, and creates it if it does not exist.
      case readWrite
      /// Reads the database, and writes nothing, not even beside it.
      ///
      /// The database may be in a place that cannot be written. If it has a write-ahead log and all
      /// other users have closed it, it is read as a file that does not change.
      case readOnly
    }

    /// The way in which the file records commits.
    public enum Journal: Hashable, Sendable {
      /// A write-ahead log: reads continue during a write.
      ///
      /// Opening switches a database without such a log. The database keeps the mode after it is
      /// closed, also for other programs.
      case writeAheadLog
      /// The present mode of the database.
      ///
      /// Without a write-ahead log, reads and writes wait for each other, up to the busy timeout.
      case unchanged
    }

    /// The point at which a commit returns.
    public enum Synchronous: String, Hashable, Sendable {
      /// A commit waits for nothing.
      ///
      /// If the machine loses power, the database may be damaged. If only the program ends, nothing
      /// is lost.
      case off = "OFF"
      /// A commit writes the log, but does not wait until it is on the disk.
      ///
      /// If the machine loses power, the last commits may be lost, as if they had not been made.
      /// The database remains intact.
      case normal = "NORMAL"
      /// A commit waits until the log is on the disk.
      ///
      /// No commit is lost, provided that the disk keeps what it confirms.
      case full = "FULL"
    }

    /// The allowed access to the database.
    public var access: Access
    /// The largest number of connections that read at the same time, at least 1.
    ///
    /// They are opened on demand. A database in memory has one connection for everything.
    public var readers: Int
    /// The time to wait while another connection holds the database, before `SQLITE_BUSY` is
    /// thrown.
    ///
    /// A waiting task is suspended, and ends at once if it is cancelled. Only opening a store
    /// blocks its thread.
    public var busyTimeout: Duration
    /// The point at which a commit returns.
    public var synchronous: Synchronous
    /// The way in which a database that is opened for writing records commits.
    public var journal: Journal
    /// The most bytes of the file that each connection keeps in memory.
    ///
    /// If the records to read are far apart, each of them requires a page of the file, which is
    /// read again if it was dropped in the meantime.
    public var pageCache: Int
    /// SQL to run after the database is opened for writing and before the tables are looked up.
    ///
    /// For example, `CREATE TABLE IF NOT EXISTS …`.
    public var setup: String?

    /// Chooses the settings for opening a database.
    ///
    /// - Parameters:
    ///   - access: The allowed access to the database.
    ///   - readers: The largest number of connections that read at the same time.
    ///   - busyTimeout: The time to wait while another connection holds the database.
    ///   - synchronous: The point at which a commit returns.
    ///   - journal: The way in which the file records commits.
    ///   - pageCache: The most bytes of the file that each connection keeps in memory; 16 MiB by
    ///     default.
    ///   - setup: SQL to run before the tables are looked up.
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
