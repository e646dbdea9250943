import Observation

/// Waits until something is true that observable objects say, as SwiftUI does for a view.
@MainActor
func wait(until condition: @MainActor () -> Bool) async {
  while !condition() {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = condition()
      } onChange: {
        continuation.resume()
      }
    }
  }
}
