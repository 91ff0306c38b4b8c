/// What a page shows of a device at one moment.
package protocol DeviceScreen: Sendable, Equatable, Encodable {
    /// Grows with every change.
    var revision: Int { get set }
}

/// The screen of a device, and everybody who looks at it.
@MainActor
final class ScreenFeed<Screen: DeviceScreen> {
    private(set) var screen: Screen
    private var observers: [Int: AsyncStream<Screen>.Continuation] = [:]
    private var observerCount = 0

    init(_ screen: Screen) { self.screen = screen }

    var isWatched: Bool { !observers.isEmpty }

    /// Changes the screen, and tells its observers where that made a difference.
    func show(_ change: (inout Screen) -> Void) {
        var next = screen
        change(&next)
        guard next != screen else { return }
        next.revision += 1
        screen = next
        for observer in observers.values { observer.yield(next) }
    }

    /// Every screen from now on, the current one first.
    func screens() -> AsyncStream<Screen> {
        let (stream, continuation) = AsyncStream.makeStream(of: Screen.self, bufferingPolicy: .bufferingNewest(256))
        continuation.yield(screen)
        observerCount += 1
        let number = observerCount
        observers[number] = continuation
        continuation.onTermination = { _ in Task { @MainActor [weak self] in self?.observers[number] = nil } }
        return stream
    }

    /// The first screen after a revision, or nil when the feed ends or the task is cancelled first.
    func next(after revision: Int) async -> Screen? {
        for await screen in screens() where screen.revision > revision { return screen }
        return nil
    }

    /// The first screen after a revision, or the present one when the limit passes first.
    func screen(after revision: Int, atMost limit: Duration) async -> Screen {
        let present = screen
        guard present.revision <= revision else { return present }
        let newer = await withTaskGroup(of: Screen?.self) { group in
            group.addTask { await self.next(after: revision) }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return newer ?? present
    }

    /// Ends every stream of screens.
    func finish() {
        for observer in observers.values { observer.finish() }
        observers = [:]
    }
}
