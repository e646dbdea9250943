// The well-known names that Combine declares at its top level.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum AnyCancellable {}
public enum AnyPublisher {}
public enum AnySubscriber {}
public enum AsyncPublisher {}
public enum AsyncThrowingPublisher {}
public enum Cancellable {}
public enum CombineIdentifier {}
public enum ConnectablePublisher {}
public enum CurrentValueSubject {}
public enum CustomCombineIdentifierConvertible {}
public enum Deferred {}
public enum Empty {}
public enum Fail {}
public enum Future {}
public enum ImmediateScheduler {}
public enum Just {}
public enum ObservableObject {}
public enum ObservableObjectPublisher {}
public enum PassthroughSubject {}
public enum Published {}
public enum Publisher {}
public enum Publishers {}
public enum Record {}
public enum Scheduler {}
public enum SchedulerTimeIntervalConvertible {}
public enum Subject {}
public enum Subscriber {}
public enum Subscribers {}
public enum Subscription {}
public enum Subscriptions {}
public enum TopLevelDecoder {}
public enum TopLevelEncoder {}
