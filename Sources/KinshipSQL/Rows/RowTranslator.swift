public import Kinship

/// Turns rows into records and back, by hand: where reading by `Codable` is too slow.
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

  /// The columns that are read and written, in the order of their positions. The table's id must
  /// be among them.
  var columns: [String] { get }

  /// Makes a record of a row.
  ///
  /// - Parameter row: The row.
  /// - Returns: The record.
  /// - Throws: Whatever says that the row is no record.
  func record(from row: borrowing SQLRow) throws -> R

  /// Adds the values of a record, in the order of the columns.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - values: Where the values go.
  /// - Throws: Whatever says that the record cannot be stored.
  func bind(_ record: R, to values: inout SQLValues) throws
}
