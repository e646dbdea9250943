#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store was called so often that the test would never end.
public struct CalledWithoutEnd: Error, CustomStringConvertible {
  /// The number of calls.
  public let count: Int
  /// The number of calls, in words.
  public var description: String {
    "The store was called \(count) times, so the test would never end. "
      + "Look for code that loads again whenever a load ends."
  }

  /// Throws if a store has been called too often.
  ///
  /// - Parameters:
  ///   - count: The number of calls.
  ///   - limit: The number that is too large.
  /// - Throws: The error.
  package static func check(_ count: Int, limit: Int = 20_000) throws(CalledWithoutEnd) {
    if count >= limit { throw CalledWithoutEnd(count: count) }
  }
}

extension CalledWithoutEnd: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
