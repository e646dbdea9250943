/// A place in a program's source from which a cache was called.
public struct CallSite: Hashable, Sendable {
  /// The module and the file, as `#fileID` gives them.
  public let fileID: String
  /// The line of the call.
  public let line: UInt

  init(_ fileID: FileID, _ line: UInt) {
    self.fileID = fileID.description
    self.line = line
  }

  /// A call site whose description is made only when it is needed.
  @usableFromInline
  struct Location: Sendable {
    @usableFromInline let fileID: FileID
    @usableFromInline let line: UInt

    @inlinable
    init(_ fileID: FileID, _ line: UInt) { (self.fileID, self.line) = (fileID, line) }

    var site: CallSite { CallSite(fileID, line) }
  }

  /// The name of a source file in one word, because passing a `StaticString` is noticeable in reads
  /// that take less than a tenth of a microsecond.
  public struct FileID: ExpressibleByStringLiteral, Sendable {
    /// The address of the name, which is valid for ever.
    @usableFromInline let address: UInt

    /// Creates the name of a source file.
    ///
    /// - Parameter name: The name: `#fileID`.
    @inlinable
    public init(stringLiteral name: StaticString) {
      address = name.hasPointerRepresentation ? UInt(bitPattern: name.utf8Start) : 0
    }
  }
}

extension CallSite: CustomStringConvertible {
  /// The file and the line, as `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}

extension CallSite.FileID: CustomStringConvertible {
  /// The name.
  public var description: String {
    UnsafePointer<UInt8>(bitPattern: address).map { String(cString: $0) } ?? ""
  }
}
