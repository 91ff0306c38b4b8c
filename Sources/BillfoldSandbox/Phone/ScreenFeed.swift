import BillfoldConcurrency

/// What a page shows of a device at one moment.
package protocol DeviceScreen: Sendable, Equatable, Encodable {
    /// Grows with every change.
    var revision: Int { get set }
}

/// The screen of a device, and everybody who looks at it.
@MainActor
final class ScreenFeed<Screen: DeviceScreen> {
    private(set) var screen: Screen
    private let feed = Feed<Screen>(backlog: 256)

    init(_ screen: Screen) { self.screen = screen }

    var isWatched: Bool { feed.hasListeners }

    /// Changes the screen, and tells its observers where that made a difference.
    func show(_ change: (inout Screen) -> Void) {
        var next = screen
        change(&next)
        guard next != screen else { return }
        next.revision += 1
        screen = next
        feed.tell(next)
    }

    /// Every screen from now on, the current one first.
    func screens() -> AsyncStream<Screen> { feed.values(from: screen) }

    /// The first screen after a revision, or nil when the feed ends or the task is cancelled first.
    func next(after revision: Int) async -> Screen? {
        for await screen in screens() where screen.revision > revision { return screen }
        return nil
    }

    /// The first screen after a revision, or the present one when the limit passes first.
    func screen(after revision: Int, atMost limit: Duration) async -> Screen {
        let present = screen
        guard present.revision <= revision else { return present }
        return (try? await within(limit) { await self.next(after: revision) }) ?? present
    }

    /// Ends every stream of screens.
    func finish() { feed.finish() }
}
