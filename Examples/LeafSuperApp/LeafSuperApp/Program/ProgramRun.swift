import AppContainer
import BillfoldJSON
import MiniPrograms
import UIKit

/// One run of a mini program: what its page on top shows, and what it asks of the phone.
@MainActor
final class ProgramRun {
    let name: String
    /// The page's data, a line for each value.
    private(set) var lines: [String] = []
    private(set) var buttons: [PageButton] = []
    /// Something of it changed.
    var onChange: () -> Void = {}
    /// The run is over by itself.
    var onEnd: (String?) -> Void = { _ in }

    private let program: MiniProgram
    private let files: [String: [UInt8]]
    private let person: Person
    private var data: [Int: PageData] = [:]
    private var top: Int?

    /// The script begins; what happens in it comes by `events`.
    init(_ opened: OpenedMiniProgram, _ setup: MiniProgramSetup, hearing events: AsyncStream<ScreenHost.Event>, person: Person) {
        name = opened.metadata.name
        files = opened.files
        self.person = person
        program = MiniProgram(setup)
        Task { [weak self] in
            for await event in events { self?.take(event) }
        }
        program.launch()
    }

    /// Presses a button of the page on top, as a person does.
    func press(_ button: PageButton) {
        let event = JSONObject([.init("type", "tap"), .init("target", .object([])), .init("detail", .object([]))])
        program.trigger(button.handler, [.object(event)], isTap: true)
    }

    func cameToFront() { program.show() }

    func end() { program.end() }

    // MARK: What happens in it

    private func take(_ event: ScreenHost.Event) {
        switch event {
        case .call(let call, let reply): Task { reply(await answer(call)) }
        case .update(let update, let painted):
            for change in update.changes { data[update.page, default: PageData()].apply(change) }
            show()
            painted()
        case .happened(.shown(let page, let route)):
            top = page
            buttons = PageButton.all(in: String(decoding: files["\(route).axml"] ?? [], as: UTF8.self))
            show()
        case .happened(.closed(let page, _)): data[page] = nil
        case .happened(.ended(let error)): onEnd(error.map { "\($0)" })
        // Calls, lines of the console and warnings are for a developer's log.
        case .happened: break
        }
    }

    private func show() {
        lines = top.flatMap { data[$0] }?.lines ?? []
        onChange()
    }

    /// What the phone does for a mini program beside the Wallet services. The container has checked the call.
    private func answer(_ call: JSAPICall) async -> JSAPIAnswer {
        func text(_ name: String) -> String? { call.arguments[name]?.string }
        switch call.name {
        case "alert":
            _ = await person.agrees(text("title"), text("content"), yes: text("buttonText") ?? "OK", no: nil)
            return .success([])
        case "confirm":
            let isConfirmed = await person.agrees(
                text("title"), text("content"), yes: text("confirmButtonText") ?? "OK",
                no: text("cancelButtonText") ?? person.texts[.cancel])
            return .success(JSONObject([.init("confirm", .bool(isConfirmed)), .init("ok", .bool(isConfirmed))]))
        case "showToast", "hideToast", "showLoading", "hideLoading", "setNavigationBar": return .success([])
        default: return .failure(JSAPIFailure(.unknown, "\(call.name): this app has no part for it"))
        }
    }
}
