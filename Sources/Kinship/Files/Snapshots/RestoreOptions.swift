/// How a snapshot is read.
///
/// ```swift
/// var options = RestoreOptions()
/// options.maximumAge = .seconds(24 * 60 * 60)
/// options.damage = .salvage
/// let report = try await cache.restore(from: url, options)
/// ```
public struct RestoreOptions: Sendable {
  /// The largest file that is read, in bytes: 4 GB unless you say otherwise.
  ///
  /// It is compared with the file's size before a byte is read.
  public var maximumSize = 1 << 32
  /// Records that were loaded or written longer ago are left out; `nil` for none.
  public var maximumAge: Duration?
  /// What is done about damage.
  public var damage = DamagePolicy.refuse
  /// How records of earlier versions become records of today.
  public var migrations = Migrations()
  /// The coder, if it is one of your own; those of Kinship are found by the name in the file.
  public var coder: (any RecordCoder)?

  /// Creates the usual options: all that is whole and of today, from a file without damage.
  public init() {}
}
