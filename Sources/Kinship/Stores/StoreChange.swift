/// Records that anyone has changed.
public struct StoreChange: Sendable {
  /// The records concerned: possibly more than have changed, never fewer.
  public enum Extent: Sendable {
    /// Records that have been inserted, changed or deleted, and those whose lists have changed.
    case records([AnyRef])
    /// Any records of a type.
    case all(of: any GraphRecord.Type)
    /// Any records: the change is not known in detail.
    case everything
  }

  /// The records concerned.
  public let extent: Extent
  /// The commit that has made the change; `nil` if no cache of this process has.
  public let commit: CommitID?

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - extent: The records concerned.
  ///   - commit: The commit of the change, if a cache of this process has made it.
  public init(_ extent: Extent, by commit: CommitID? = nil) {
    self.extent = extent
    self.commit = commit
  }
}

extension ChangeSet {
  /// The records that a store reports to have changed beyond the changes, or differently.
  package var reported: [StoreChange.Extent] {
    notes.reports(StoreReport.self).map { StoreChange.Extent($0) }
  }
}

extension StoreChange.Extent {
  /// Creates the extent that must be read again because of a report.
  init(_ report: StoreReport) {
    self =
      switch report {
      case .stored(let record): .records([AnyRef(to: record)])
      case .changed(let refs): .records(refs)
      case .changedAll(let type): .all(of: type)
      }
  }
}

/// A place in the log of a store's changes, which only that store understands.
public struct StoreCursor: Hashable, Codable, Sendable {
  /// The text by which the store finds the place again.
  public let text: String

  /// Creates a place.
  ///
  /// - Parameter text: The text by which the store finds it again.
  public init(_ text: String) { self.text = text }

  /// Decodes a place from its text.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes a place as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

/// The id of a cache's commit.
///
/// A store that keeps a log of changes notes it there, so that the cache need not drop records that
/// it has written itself.
public struct CommitID: Hashable, Sendable, CustomStringConvertible {
  /// The current commit, in a call of ``BackingStore/apply(_:)`` by a cache that follows the store.
  @TaskLocal public static var current: CommitID?

  private let cache: UInt64
  private let number: UInt64

  package init(cache: UInt64, number: UInt64) {
    self.cache = cache
    self.number = number
  }

  /// Reads a commit from its description.
  ///
  /// - Parameter description: A ``description``; any other text is no commit.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let cache = UInt64(parts[0], radix: 16),
      let number = UInt64(parts[1])
    else { return nil }
    self.init(cache: cache, number: number)
  }

  /// The number of the cache, which is unlikely to recur in another process, and of the commit.
  public var description: String { "\(String(cache, radix: 16))/\(number)" }
}
