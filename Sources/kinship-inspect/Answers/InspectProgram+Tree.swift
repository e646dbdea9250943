import Kinship
import KinshipInspection
import KinshipProgram

extension InspectProgram {
  func tree(_ options: Options) throws -> ExitStatus {
    let inspection = try read(options.operands[0], options, all: false)
    let refs = options.refs + inspection.refs
    if refs.isEmpty {
      throw CommandLineMistake(
        "a file does not say which properties are refs. Name them, such as --ref "
          + "Person.father=Person"
      )
    }
    try require(options.refs, in: inspection)
    let root = options.operands[1]
    let name = root.prefix { $0 != ":" }
    let id = String(root.dropFirst(name.count + 1))
    let record = inspection.records.first { record in
      record.type.name == name && record.id?.plainText == id
    }
    guard let record, let rootID = record.id else {
      throw Failure(
        status: .notFound, subject: inspection.path,
        message: "there is no record \(root.quoted) in it. Name one by its type and id, "
          + "such as Person:42")
    }
    var left: [FileDamage] = []
    let tree = try RefTree(
      of: RefTree.Node(type: record.type.name, id: rootID), in: inspection, refs,
      generations: options.generations
    ) { left.append($0) }
    switch options.format {
    case .dot: try console.write(tree.dot)
    case .mermaid: try console.write(tree.mermaid)
    default: try console.write(tree.text(console.style))
    }
    return complain(of: inspection.damage + left)
  }
}
