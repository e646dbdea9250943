public import Observation

/// A value on the main actor that stays up to date, for SwiftUI and other observers of
/// `@Observable` objects.
///
/// ```swift
/// let person = Live(cache, ref)
/// title = person.value?.name ?? "Loading"
/// ```
///
/// A value in memory is there synchronously, for the first frame. After that, the value follows the
/// changes until the object is released. During a reload, for example after an invalidation, the
/// value stays and ``isLoading`` is true.
///
/// If a load fails, the value stays, ``error`` says why, and the object follows no changes until
/// you call ``retry()``.
@MainActor
@Observable
public final class Live<Value: Sendable> {
  /// The newest value.
  public private(set) var value: Value
  /// Whether a load is still in progress.
  public private(set) var isLoading: Bool
  /// The error of the last load, if it failed.
  public private(set) var error: (any Error)?

  /// Starts the task that follows; it must not retain the object.
  @ObservationIgnored private let start: @MainActor (Live) -> Task<Void, Never>
  @ObservationIgnored private var following: Following?
  /// Whether the value was complete, so that partial results during a reload do not replace it.
  @ObservationIgnored private var isKept: Bool

  /// Follows the changes of anything that a cache observes.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - value: The value until the first change arrives.
  ///   - isLoading: Whether that value is incomplete.
  public convenience init<Sequence: AsyncSequence & Sendable, Diff: ObservedDifference>(
    _ changes: Sequence, startingWith value: Value, isLoading: Bool = true
  ) where Sequence.Element == ObservedChange<Value, Diff> {
    self.init(changes, startingWith: value, isLoading: isLoading, isKept: !isLoading)
  }

  /// Follows changes; `isKept` says whether the value is already what the first change could show.
  init<Sequence: AsyncSequence & Sendable, Diff: ObservedDifference>(
    _ changes: Sequence, startingWith value: Value, isLoading: Bool, isKept: Bool
  ) where Sequence.Element == ObservedChange<Value, Diff> {
    self.value = value
    self.isLoading = isLoading
    self.isKept = isKept
    start = { live in
      Task { [weak live] in
        do {
          for try await change in changes {
            // Retained no longer than this: a waiting task must not keep the object alive.
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
