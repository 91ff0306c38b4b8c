import BillfoldSandbox
import BillfoldWeb
import Foundation
import Synchronization

/// The mini program whose pages are its server's: the tour is the page in the frame.
extension MiniProgramTourSteps {
    private func nextCall() -> Int {
        state.withLock { state in
            state.calls += 1
            return state.calls
        }
    }

    private func author<Answer: Decodable>(_ path: String, _ body: [String: String], as type: Answer.Type) async throws -> Answer {
        try await TourClient.post("\(addresses.author)/author/v1/\(path)", body).read(type)
    }

    func webSignIn() async throws -> String {
        let screen = try await open(Self.postcards)
        guard screen.program?.webPage?.hasPrefix(addresses.author) == true else {
            throw refused("value-differs", "the frame shows another server's page")
        }
        let (phone, call) = (try phone, nextCall())
        try await phone.call(call, name: "getAuthCode", arguments: #"{"scopes":["USER_NAME"]}"#, origin: addresses.author)
        _ = try await phone.sheet(.consent)
        try await phone.tap(SuperAppTap(.agree))
        let answer = try await phone.answer(to: call)
        guard answer.ok, let code = answer.text.firstMatch(of: /"authCode":"([^"]+)"/).map({ String($0.1) }) else {
            throw refused("value-differs", "the page got no code")
        }
        struct Session: Decodable { var name: String? }
        let session = try await author("sessions", ["authCode": code, "appId": Self.postcards], as: Session.self)
        guard session.name == "Mei Lin" else { throw refused("value-differs", "the author's server knows another name") }
        return "the page's server knows \(session.name ?? "")"
    }

    func webPayment() async throws -> String {
        struct Order: Decodable {
            var number: String
            var orderStr: String?
        }
        struct Bought: Decodable { var state: String }
        let (phone, call) = (try phone, nextCall())
        let order = try await author("orders", ["offer": "celadon-cup", "form": "orderStr"], as: Order.self)
        let text = String(decoding: try JSONEncoder().encode(["orderStr": order.orderStr ?? ""]), as: UTF8.self)
        try await phone.call(call, name: "tradePay", arguments: text, origin: addresses.author)
        let sheet = try await phone.sheet(.cashier)
        try await phone.open(try address(try await payer.pay(from: sheet.away ?? "")))
        let answer = try await phone.answer(to: call)
        let bought = try await author("orders/\(order.number)/state", [:], as: Bought.self)
        guard answer.ok, answer.text.contains(#""resultCode":"9000""#), bought.state == "paid" else {
            throw refused("value-differs", "the page was told otherwise, or its server says \(bought.state)")
        }
        state.withLock { $0.orders[order.number] = true }
        return "order \(order.number) paid"
    }

    func webScan() async throws -> String {
        let (phone, scan) = (try phone, nextCall())
        try await phone.call(scan, name: "scan", arguments: #"{"type":"qr"}"#, origin: addresses.author)
        _ = try await phone.sheet(.scanner)
        try await phone.show(try QRCode("postcard").greymap(scale: 6), from: "camera")
        guard try await phone.answer(to: scan).text.contains("postcard") else {
            throw refused("value-differs", "the page got another code")
        }
        let scene = nextCall()
        try await phone.call(scene, name: "navigateToBizScene", arguments: #"{"sceneCode":"TOP_UP"}"#, origin: addresses.author)
        _ = try await phone.sheet(.scene)
        try await phone.tap(SuperAppTap(.finish))
        guard try await phone.answer(to: scene).ok else { throw refused("value-differs", "the scene failed") }
        return "a code and a scene"
    }

    func otherSite() async throws -> String {
        let (phone, call) = (try phone, nextCall())
        try await phone.call(call, name: "getAuthCode", arguments: #"{"scopes":["USER_NAME"]}"#, origin: "https://elsewhere.example")
        let answer = try await phone.answer(to: call)
        guard !answer.ok, answer.text.contains(#""error":4"#), answer.origin == "https://elsewhere.example" else {
            throw refused("value-differs", "a page of another site was heard")
        }
        return "a page of another site is refused with error 4"
    }
}
