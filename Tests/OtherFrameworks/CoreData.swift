// The well-known names that Core Data declares at its top level.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum NSAtomicStore {}
public enum NSAttributeDescription {}
public enum NSBatchDeleteRequest {}
public enum NSBatchInsertRequest {}
public enum NSBatchUpdateRequest {}
public enum NSDerivedAttributeDescription {}
public enum NSEntityDescription {}
public enum NSEntityMapping {}
public enum NSEntityMigrationPolicy {}
public enum NSFetchIndexDescription {}
public enum NSFetchRequest {}
public enum NSFetchedPropertyDescription {}
public enum NSFetchedResultsController {}
public enum NSIncrementalStore {}
public enum NSManagedObject {}
public enum NSManagedObjectContext {}
public enum NSManagedObjectID {}
public enum NSManagedObjectModel {}
public enum NSMappingModel {}
public enum NSMergeConflict {}
public enum NSMergePolicy {}
public enum NSMigrationManager {}
public enum NSPersistentCloudKitContainer {}
public enum NSPersistentContainer {}
public enum NSPersistentHistoryChange {}
public enum NSPersistentHistoryToken {}
public enum NSPersistentHistoryTransaction {}
public enum NSPersistentStore {}
public enum NSPersistentStoreCoordinator {}
public enum NSPersistentStoreDescription {}
public enum NSPropertyDescription {}
public enum NSQueryGenerationToken {}
public enum NSRelationshipDescription {}
public enum NSSaveChangesRequest {}
public enum NSStagedMigrationManager {}
