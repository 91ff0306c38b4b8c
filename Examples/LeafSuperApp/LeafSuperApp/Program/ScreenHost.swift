import AppContainer

/// Hands on what happens in a mini program, in its order: the program's own thread must not wait for the screen.
struct ScreenHost: JSAPIHost {
    enum Event: Sendable {
        case call(JSAPICall, @Sendable (JSAPIAnswer) -> Void)
        case update(ViewUpdate, painted: @Sendable () -> Void)
        case happened(ProgramEvent)
    }

    let events: AsyncStream<Event>.Continuation

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) { events.yield(.call(call, reply)) }
    func show(_ update: ViewUpdate, painted: @escaping @Sendable () -> Void) { events.yield(.update(update, painted: painted)) }
    func observe(_ event: ProgramEvent) { events.yield(.happened(event)) }
}
