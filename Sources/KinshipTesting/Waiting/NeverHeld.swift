#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A test waited for an event that did not happen.
public struct NeverHeld: Error, CustomStringConvertible {
  /// The place in the test.
  package let place: String

  /// The missing event.
  package let event: String

  package init(place: String, event: String) {
    self.place = place
    self.event = event
  }

  /// The place in the test, and the missing event.
  public var description: String { "\(place): \(event)" }
}

extension NeverHeld: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
