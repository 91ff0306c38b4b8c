/// <https://developer.apple.com/documentation/os/osallocatedunfairlock>
@available(iOS 16, *)
public struct OSAllocatedUnfairLock<State>: Sendable {
    /// <https://developer.apple.com/documentation/os/osallocatedunfairlock/lock()>
    @available(iOS 16, *)
    public func lock() {}
    /// <https://developer.apple.com/documentation/os/osallocatedunfairlock/unlock()>
    @available(iOS 16, *)
    public func unlock() {}
}

extension OSAllocatedUnfairLock where State == () {
    /// <https://developer.apple.com/documentation/os/osallocatedunfairlock/init()>
    @available(iOS 16, *)
    public init() {}
}
