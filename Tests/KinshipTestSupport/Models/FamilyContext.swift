internal import Kinship
package import KinshipTranslation

/// Models in memory that refer to each other by pointers, with transactions that can be rolled
/// back.
///
/// It is not `Sendable`, and belongs to one queue.
package final class FamilyContext: ObjectContext {
  private var objects: [ObjectIdentifier: [FamilyModel]] = [:]
  private var committed: [ObjectIdentifier: [FamilyModel]] = [:]
  private var changed: [FamilyModel] = []
  private let executor: QueueExecutor
  private let log: ModelLog

  init(_ executor: QueueExecutor, _ log: ModelLog) {
    self.executor = executor
    self.log = log
  }

  package func objects<ID: Hashable & Sendable>(
    of type: FamilyModel.Type, ids: [ID]
  ) throws -> [FamilyModel] {
    noteAccess()
    let name = "\(type)"
    log.note { $0.finds[name, default: 0] += 1 }
    let wanted = Set(ids.map { AnyHashable($0) })
    return objects[ObjectIdentifier(type), default: []].filter { wanted.contains($0.anyID) }
  }

  package func allObjects(of type: FamilyModel.Type) throws -> [FamilyModel] {
    noteAccess()
    log.note { $0.scans += 1 }
    return objects[ObjectIdentifier(type), default: []]
  }

  /// All models of a translator, not counted as a scan, for contexts with an index of their own.
  package func everything<T: Translator>(by translator: T) throws -> [T.Model] {
    noteAccess()
    return objects.values.joined().compactMap { $0 as? T.Model }
  }

  package func insertObject<ID: Hashable & Sendable>(
    of type: FamilyModel.Type, id: ID
  ) throws -> FamilyModel {
    noteAccess()
    let object = type.init(in: self)
    object.setID(id)
    objects[ObjectIdentifier(type), default: []].append(object)
    return object
  }

  package func deleteObject(_ object: FamilyModel) throws {
    noteAccess()
    objects[ObjectIdentifier(Swift.type(of: object)), default: []].removeAll { $0 === object }
  }

  /// Makes a model and fills it.
  package func insert<Model: FamilyModel>(
    _ type: Model.Type, _ fill: (Model) -> Void
  ) -> Model {
    let model = type.init(in: self)
    objects[ObjectIdentifier(type), default: []].append(model)
    fill(model)
    return model
  }

  func noteAccess() {
    if !executor.isCurrent { log.note { $0.strays += 1 } }
  }

  func noteChange(of model: FamilyModel) { changed.append(model) }

  func commit() {
    for model in changed { model.commit() }
    changed = []
    committed = objects
    log.note { $0.commits += 1 }
  }

  func rollback() {
    for model in changed { model.rollback() }
    changed = []
    objects = committed
    log.note { $0.rollbacks += 1 }
  }

  /// Releases the models, which refer to each other and to the context.
  func close() {
    for model in objects.values.joined() { model.clear() }
    objects = [:]
    committed = [:]
  }
}
