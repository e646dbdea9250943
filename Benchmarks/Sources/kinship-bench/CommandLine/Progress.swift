import Foundation

/// A line on the standard error that says what is being measured, where a person watches.
struct Progress {
  private let isShown = isatty(STDERR_FILENO) == 1

  func show(_ text: String) {
    guard isShown else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }

  func clear() {
    show("")
  }
}
