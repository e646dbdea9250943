public import Observation

/// A value on the main actor that follows what it shows: for SwiftUI, and whatever else observes
/// `@Observable` objects.
///
/// ```swift
/// let person = Live(cache, ref)
/// title = person.value?.name ?? "Loading"
/// ```
///
/// What is in memory is there synchronously, for the first frame. From then on the value follows
/// the changes, until the object is dropped. While it is loaded anew, after an invalidation say,
/// the value stays and ``isLoading`` is true.
///
/// If a load fails, the value stays as it was, ``error`` says why, and nothing is followed any
/// longer until ``retry()`` is called.
@MainActor
@Observable
public final class Live<Value: Sendable> {
  /// The newest value.
  public private(set) var value: Value
  /// Whether something is still to be loaded.
  public private(set) var isLoading: Bool
  /// Why the last load failed, if it did.
  public private(set) var error: (any Error)?

  /// Starts the task that follows; it must not hold the object.
  @ObservationIgnored private let start: @MainActor (Live) -> Task<Void, Never>
  @ObservationIgnored private var following: Following?
  /// Whether the value says all that was known: then what is known of it while it is loaded anew
  /// does not take its place.
  @ObservationIgnored private var isKept: Bool

  /// Follows the changes of anything that a cache observes.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - value: What to show until the first change is there.
  ///   - isLoading: Whether that is incomplete.
  public convenience init<Changes: AsyncSequence & Sendable>(
    _ changes: Changes, startingWith value: Value, isLoading: Bool = true
  ) where Changes.Element: ObservedChange, Changes.Element.Value == Value {
    self.init(changes, startingWith: value, isLoading: isLoading, isKept: !isLoading)
  }

  /// Follows changes; `isKept` says whether the value is what the first of them could bring.
  init<Changes: AsyncSequence & Sendable>(
    _ changes: Changes, startingWith value: Value, isLoading: Bool, isKept: Bool
  ) where Changes.Element: ObservedChange, Changes.Element.Value == Value {
    self.value = value
    self.isLoading = isLoading
    self.isKept = isKept
    start = { live in
      Task { [weak live] in
        do {
          for try await change in changes {
            // Held for no longer than this: who waits must not keep the object alive.
            guard let live else { return }
            live.show(change.value, isLoading: change.isLoading)
          }
        } catch {
          live?.fail(error)
        }
      }
    }
    following = Following(task: start(self))
  }

  /// Follows the changes again after a failure; does nothing if there was none.
  public func retry() {
    guard error != nil else { return }
    error = nil
    isLoading = true
    following = Following(task: start(self))
  }

  private func show(_ value: Value, isLoading: Bool) {
    self.isLoading = isLoading
    if isLoading, isKept { return }
    self.value = value
    isKept = true
  }

  private func fail(_ error: any Error) {
    self.error = error
    isLoading = false
  }
}
