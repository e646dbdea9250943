/// How a table stores what SQLite has no type for; other databases have types of their own.
public struct SQLFormats: Hashable, Sendable {
  /// How dates are stored.
  public enum Dates: Hashable, Sendable {
    /// As a number, the seconds since the beginning of 1970, in UTC. It may differ by less than a
    /// microsecond when it is read again.
    case secondsSince1970
    /// As a number, the seconds since the beginning of 2001, in UTC: exactly what a `Date` holds.
    case secondsSince2001
    /// As a text that SQLite's own functions understand and that sorts by time, in UTC:
    /// `2009-01-31 23:59:59.125`, to the millisecond.
    ///
    /// Read are also `2009-01-31`, `2009-01-31T23:59`, and `Z` or an offset such as `+01:00` at
    /// the end.
    case text
  }

  /// How UUIDs are stored; both are read.
  public enum UUIDs: Hashable, Sendable {
    /// As a text of 36 characters, in upper case.
    case text
    /// As 16 bytes.
    case blob
  }

  /// How dates are stored.
  public var dates: Dates
  /// How UUIDs are stored, in properties, ids and refs.
  public var uuids: UUIDs

  /// Chooses formats.
  ///
  /// - Parameters:
  ///   - dates: How dates are stored.
  ///   - uuids: How UUIDs are stored.
  public init(dates: Dates = .secondsSince1970, uuids: UUIDs = .text) {
    self.dates = dates
    self.uuids = uuids
  }
}
