#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// How a table stores what SQLite has no type for; other databases have types of their own.
public struct SQLFormats: Hashable, Sendable {
  /// How dates are stored.
  ///
  /// Where a format rounds, the rounded date is what the cache holds once it is committed, and what
  /// a transaction returns. A record whose id would be rounded is refused.
  public enum Dates: Hashable, Sendable {
    /// As a number, the seconds since the beginning of 1970, in UTC, rounded to less than a
    /// microsecond: what Unix and many databases count.
    case secondsSince1970
    /// As a number, the seconds since the beginning of 2001, in UTC: exactly what a `Date` holds,
    /// and what Core Data stores.
    case secondsSince2001
    /// As a text that SQLite's own functions understand and that sorts by time, in UTC:
    /// `2009-01-31 23:59:59.125`, rounded to the millisecond.
    ///
    /// Read are also `2009-01-31`, `2009-01-31T23:59`, and `Z` or an offset such as `+01:00` at
    /// the end.
    case text
  }

  /// How UUIDs are stored.
  ///
  /// A property is read whatever it is stored as. An id must be stored as the table's format says,
  /// because it is looked for so: a store is not opened if a row has another form.
  public enum UUIDs: Hashable, Sendable {
    /// As a text of 36 characters, in upper case.
    case text
    /// As a text of 36 characters, in lower case.
    case lowercaseText
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
  ///   - dates: How dates are stored; by default exactly.
  ///   - uuids: How UUIDs are stored.
  public init(dates: Dates = .secondsSince2001, uuids: UUIDs = .text) {
    self.dates = dates
    self.uuids = uuids
  }
}

extension SQLFormats {
  /// What is stored for a UUID.
  package func value(of uuid: UUID) -> SQLValue {
    switch uuids {
    case .text: uuid.sqlValue
    case .lowercaseText: .text(uuid.uuidString.lowercased())
    case .blob: uuid.sqlBlob
    }
  }
}
