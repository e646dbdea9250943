public import Kinship

/// Translates rows into records and back by hand, for when reading by `Codable` is too slow.
///
/// ```swift
/// struct TrackTranslator: RowTranslator {
///   let columns = ["TrackId", "Name", "AlbumId"]
///
///   func record(from row: borrowing SQLRow) throws -> Track {
///     Track(id: try row.value(at: 0), name: try row.value(at: 1), album: try row.value(at: 2))
///   }
///
///   func bind(_ record: Track, to values: inout SQLValues) throws {
///     try values.append(record.id)
///     try values.append(record.name)
///     try values.append(record.album)
///   }
/// }
/// ```
public protocol RowTranslator<R>: Sendable {
  /// The type of the records.
  associatedtype R: GraphRecord

  /// The columns to read and write, in the order of their positions.
  ///
  /// They must include the columns of the table's id.
  var columns: [String] { get }

  /// Creates a record from a row.
  ///
  /// - Parameter row: The row.
  /// - Returns: The record.
  /// - Throws: Any error that says why the row is not a record.
  func record(from row: borrowing SQLRow) throws -> R

  /// Adds the values of a record, in the order of the columns.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - values: The values to add to.
  /// - Throws: Any error that says why the record cannot be stored.
  func bind(_ record: R, to values: inout SQLValues) throws
}
