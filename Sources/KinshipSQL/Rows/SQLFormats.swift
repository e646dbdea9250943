#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The formats of a table for types that SQLite does not have.
///
/// Other databases have types of their own for these.
public struct SQLFormats: Hashable, Sendable {
  /// The format of dates.
  ///
  /// If a format rounds, the cache holds the rounded date after the commit, and a transaction
  /// returns it. A record whose id would be rounded is rejected.
  public enum Dates: Hashable, Sendable {
    /// A number: the seconds since the beginning of 1970, in UTC, rounded to less than a
    /// microsecond.
    ///
    /// Unix and many databases count this way.
    case secondsSince1970
    /// A number: the seconds since the beginning of 2001, in UTC.
    ///
    /// This is exactly what a `Date` holds, and what Core Data stores.
    case secondsSince2001
    /// A text in UTC, rounded to the millisecond, such as `2009-01-31 23:59:59.125`.
    ///
    /// SQLite's own functions understand it, and it sorts by time. Reading also accepts
    /// `2009-01-31`, `2009-01-31T23:59`, and `Z` or an offset such as `+01:00` at the end.
    case text
  }

  /// The format of UUIDs.
  ///
  /// A property is read in any of these formats. An id must have the table's format, because it is
  /// looked up in that format: a store does not open if a row has another one.
  public enum UUIDs: Hashable, Sendable {
    /// A text of 36 characters in upper case.
    case text
    /// A text of 36 characters in lower case.
    case lowercaseText
    /// A blob of 16 bytes.
    case blob
  }

  /// The format of dates.
  public var dates: Dates
  /// The format of UUIDs in properties, ids and refs.
  public var uuids: UUIDs

  /// Chooses formats.
  ///
  /// - Parameters:
  ///   - dates: The format of dates; the default stores them exactly.
  ///   - uuids: The format of UUIDs.
  public init(dates: Dates = .secondsSince2001, uuids: UUIDs = .text) {
    self.dates = dates
    self.uuids = uuids
  }

  package func value(of uuid: UUID) -> SQLValue {
    switch uuids {
    case .text: uuid.sqlValue
    case .lowercaseText: .text(uuid.uuidString.lowercased())
    case .blob: uuid.sqlBlob
    }
  }
}
