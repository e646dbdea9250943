public import Kinship

/// A backing store whose records are on a server.
///
/// It says by itself which errors of its ``source`` are outages and refusals. See
/// <doc:A-store-over-HTTP>.
public protocol HTTPStore: BackingStore {
  /// The server.
  var source: HTTPSource { get }
}

extension HTTPStore {
  /// Whether an error means that the server was unreachable or busy.
  ///
  /// - Parameter error: The error.
  /// - Returns: ``HTTPFailure/isOutage``; `false` for another error.
  public func isOutage(_ error: any Error) -> Bool { HTTPFailure(error)?.isOutage ?? false }

  /// Whether an error means, for certain, that the server has changed nothing.
  ///
  /// - Parameter error: The error.
  /// - Returns: ``HTTPFailure/isRefusal``; for a `KinshipError`, whether a store refuses with it.
  public func isRefusal(_ error: any Error) -> Bool {
    HTTPFailure(error)?.isRefusal ?? (error as? KinshipError)?.isRefusal ?? false
  }
}

/// The state of a value from a server, for a screen: never an error, always one of these.
public enum RemoteState: Hashable, Sendable {
  /// The value is being loaded.
  case loading
  /// The value is complete, and follows changes.
  case current
  /// The server is unreachable: the value is the last one known.
  case offline
  /// The server asks to come back later: the value is the last one known.
  case busy(retryAfter: Duration?)
  /// Something else went wrong, which a text explains: the value is the last one known.
  case failed(String)
}

extension Live {
  /// The state of the value, for a screen.
  ///
  /// ```swift
  /// switch albums.remoteState {
  /// case .loading: "Loading"
  /// case .current: "\(albums.value.count) albums"
  /// case .offline: "Offline"
  /// case .busy: "Too many requests"
  /// case .failed(let reason): reason
  /// }
  /// ```
  public var remoteState: RemoteState {
    guard let error else { return isLoading ? .loading : .current }
    return switch HTTPFailure(error) {
    case .busy(_, _, let wait): .busy(retryAfter: wait)
    case .some(let failure) where failure.isOutage: .offline
    default: .failed("\(error)")
    }
  }
}
