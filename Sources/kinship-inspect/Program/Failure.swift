import Kinship
import KinshipProgram

extension Failure {
  init(writing error: KinshipError, to path: String) {
    guard case .file(.failed(_, let cause)) = error else {
      self.init(error, of: path)
      return
    }
    self.init(
      status: .cannotWrite, subject: path, message: "it cannot be written: \(cause.sentences)")
  }

  init(_ error: KinshipError, of path: String) {
    switch error {
    case .file(.damaged(let damage)):
      self.init(
        status: .notFound, subject: path,
        message: "nothing in it can be read: \(damage) Restore a backup")
    case .file(.foreign):
      self.init(
        status: .badData, subject: path,
        message: "it is neither a snapshot nor the directory of a store of Kinship. Check the path")
    case .file(.unknownCoder(_, let name)):
      self.init(
        status: .badData, subject: path,
        message: "its records were written by the coder \(name.quoted), which this program "
          + "does not have. Read them with the program that wrote them")
    case .file(.failed(_, let cause)):
      self.init(
        status: .unreadable, subject: path, message: "it cannot be read: \(cause.sentences)")
    case .file(.inUse):
      self.init(
        status: .unreadable, subject: path,
        message: "it changes too fast to be read. Try again when less is written")
    default: self.init(status: .badData, subject: path, message: "\(error)")
    }
  }
}
