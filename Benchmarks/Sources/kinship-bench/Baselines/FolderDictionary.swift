import Kinship

/// Folders by id, with handwritten cascading deletion.
struct FolderDictionary {
  private(set) var folders: [Int: Folder]

  init(_ folders: [Folder]) {
    self.folders = Dictionary(uniqueKeysWithValues: folders.lazy.map { ($0.id, $0) })
  }

  /// Removes a folder, and all below it.
  mutating func delete(_ root: Int) -> [Folder] {
    var deleted: [Folder] = []
    var rest = [root]
    while let id = rest.popLast() {
      guard let folder = folders.removeValue(forKey: id) else { continue }
      for ref in folder.contents { rest.append(ref.id) }
      deleted.append(folder)
    }
    return deleted
  }

  /// Removes the refs to deleted folders from the others.
  mutating func detach(_ deleted: [Folder]) {
    let ids = Set(deleted.lazy.map(\.id))
    for index in folders.values.indices
    where folders.values[index].contents.contains(where: { ids.contains($0.id) }) {
      folders.values[index].contents.removeAll { ids.contains($0.id) }
    }
  }

  mutating func restore(_ deleted: [Folder]) {
    for folder in deleted { folders[folder.id] = folder }
  }
}
