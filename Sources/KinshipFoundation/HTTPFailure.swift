public import Foundation
internal import Kinship

/// The reason why a server has not answered a request as asked.
///
/// Every error of an ``HTTPSource`` is one, except `CancellationError`.
public enum HTTPFailure: Error, CustomStringConvertible {
  /// There was no answer: no connection, or a lost one, or a timeout.
  ///
  /// If `isUnsent`, it is certain that nothing arrived.
  case unreachable(URL?, isUnsent: Bool, cause: any Error)
  /// The server asks to come back later: status 429 or 503.
  case busy(URL?, status: Int, retryAfter: Duration?)
  /// The server answered with an error.
  case status(URL?, Int, body: Data)
  /// The answer is not in the expected form.
  case undecodable(URL?, cause: any Error)

  /// Returns the failure that an error is, or that caused an error of a cache.
  ///
  /// - Parameter error: The error.
  public init?(_ error: any Error) {
    switch error {
    case let failure as HTTPFailure: self = failure
    case KinshipError.fetchFailed(_, _, let cause), KinshipError.commitFailed(let cause):
      self.init(cause)
    default: return nil
    }
  }

  /// Whether the server was unreachable or unable to answer: `BackingStore.isOutage(_:)`.
  public var isOutage: Bool {
    switch self {
    case .unreachable, .busy: true
    case .status(_, let status, _): [408, 502, 504].contains(status)
    case .undecodable: false
    }
  }

  /// Whether the server has changed nothing, for certain: `BackingStore.isRefusal(_:)`.
  public var isRefusal: Bool {
    switch self {
    case .unreachable(_, let isUnsent, _): isUnsent
    case .busy: true
    case .status(_, let status, _): (400..<500).contains(status) && status != 408
    case .undecodable: false
    }
  }

  /// Says what happened, to which address, and what to do.
  public var description: String {
    switch self {
    case .unreachable(let url, _, let cause):
      "\(Self.name(url)) was unreachable: \(cause). Try again when the network is back."
    case .busy(let url, let status, let wait):
      "\(Self.name(url)) is busy (\(status)). Try again \(wait.map { "after \($0)" } ?? "later")."
    case .status(let url, let status, let body):
      "\(Self.name(url)) answered with status \(status): "
        + String(decoding: body.prefix(200), as: UTF8.self)
    case .undecodable(let url, let cause):
      "\(Self.name(url)) answered in an unexpected form: \(cause). Compare it with your types."
    }
  }

  private static func name(_ url: URL?) -> String {
    url?.absoluteString ?? "A request without an address"
  }
}

extension HTTPFailure: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
