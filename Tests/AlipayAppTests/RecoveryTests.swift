import Alipay
import BillfoldTestSupport
import Foundation
import Testing

@testable import AlipayApp

/// An app that is killed while the wallet is in front, and what its file is worth.
@MainActor @Suite struct RecoveryTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let store: FilePendingPaymentStore

    init() throws {
        folder = try TemporaryFolder()
        file = URL(fileURLWithPath: folder.path("kept/payments.json"))
        store = FilePendingPaymentStore(file: file)
    }

    private func succeeded(_ number: String, verified: Bool) -> PaymentOutcome {
        .succeeded(ConfirmedPayment(orderNumber: number, resultIsVerified: verified))
    }

    @Test func killedAppGetsItsResultFromTheURL() async throws {
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        _ = await phone.begin(order)
        phone.restart()
        // The URL comes before anybody listens.
        try phone.comeBack(try await order.paid())
        await until { phone.kept(order)?.conclusion == .succeeded }
        phone.listen()
        #expect(phone.heard.map(\.outcome) == [succeeded("A-1", verified: true)])
        phone.restart()
        #expect(await phone.client.recover().isEmpty)
    }

    @Test func killedAppAsksWhenNoURLComes() async throws {
        let phone = try TestPhone(store: store)
        let (first, second) = (try await TestOrder("A-1"), try await TestOrder("A-2", .modern))
        _ = await phone.begin(first)
        _ = await phone.begin(second)
        phone.restart()
        phone.server.answer("A-1", .paid)
        phone.server.answer("A-2", .unpaid, nil, .closed)
        let reports = await phone.client.recover()
        #expect(Set(reports.map(\.orderNumber)) == ["A-1", "A-2"])
        #expect(reports.first { $0.orderNumber == "A-1" }?.outcome == succeeded("A-1", verified: false))
        #expect(reports.first { $0.orderNumber == "A-2" }?.outcome == .failed(.failed))
        #expect(await phone.client.recover().isEmpty)
    }

    @Test func cancellationFindsThePaymentOfTheKilledApp() async throws {
        let phone = try TestPhone(store: store)
        let (first, second) = (try await TestOrder("A-1"), try await TestOrder("A-2"))
        _ = await phone.begin(first)
        _ = await phone.begin(second)
        phone.restart()
        phone.listen()
        try phone.comeBack(cancelled)
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.orderNumber) == ["A-2"] && phone.heard.map(\.outcome) == [.cancelled])
    }

    @Test func appThatIsKilledWhileItAsksGoesOn() async throws {
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid)
        phone.time.hold(.seconds(1))
        _ = await phone.begin(order)
        try phone.comeBack(try await order.paid())
        await until { phone.time.sleepers == 1 }
        phone.restart()
        phone.server.answer("A-1", .paid)
        #expect(await phone.client.recover().map(\.outcome) == [succeeded("A-1", verified: true)])
    }

    @Test func newsThatNobodyHeardOutlivesTheApp() async throws {
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        _ = await phone.begin(order)
        phone.restart()
        try phone.comeBack(try await order.paid())
        await until { phone.kept(order)?.conclusion == .succeeded }
        phone.restart()
        #expect(await phone.client.recover().map(\.outcome) == [succeeded("A-1", verified: true)])
        #expect(await phone.client.recover().isEmpty)
    }

    @Test func newsThatNobodyHeardIsHandedToWhoeverListensNext() async throws {
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        _ = await phone.begin(order)
        phone.restart()
        try phone.comeBack(try await order.paid())
        await until { phone.kept(order)?.conclusion == .succeeded }
        phone.restart()
        phone.listen()
        #expect(phone.heard.map(\.outcome) == [succeeded("A-1", verified: true)])
        phone.restart()
        phone.listen()
        #expect(phone.heard.count == 1)
    }

    @Test func recoveryAndAURLAtOnceTellOnce() async throws {
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .unpaid)
        phone.time.hold(.seconds(1))
        _ = await phone.begin(order)
        phone.restart()
        phone.listen()
        let recovery = Task { await phone.client.recover() }
        await until { phone.time.sleepers == 1 }
        phone.server.answer("A-1", .paid)
        try phone.comeBack(try await order.paid())
        #expect(await recovery.value.map(\.outcome) == [succeeded("A-1", verified: true)])
        #expect(phone.heard.isEmpty)
    }

    // MARK: The file

    @Test func folderAndFileAreClosedToOtherUsersOfTheMachine() throws {
        try store.save(PendingPayments())
        func mode(_ url: URL) throws -> Int? { try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int }
        #expect(try mode(file.deletingLastPathComponent()) == 0o700)
        #expect(try mode(file) == 0o600)
    }

    @Test(arguments: ["", "{", "[]", #"{"payments":[{}],"launches":1,"hasPaid":false}"#])
    func damagedFileIsPutAside(text: String) async throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try Data("older".utf8).write(to: file.appendingPathExtension("damaged"))
        let phone = try TestPhone(store: store)
        phone.listen()
        // The order is forgotten: what comes back is no proof, and the server is asked.
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        try phone.comeBack(try await order.paid())
        try phone.comeBack(try await order.paid())
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.outcome) == [succeeded("A-1", verified: false)])
        #expect(phone.client.faults.map(\.code).prefix(2) == [.storeDamaged, .returnUnmatched])
        #expect(try Data(contentsOf: file.appendingPathExtension("damaged")) == Data(text.utf8))
        #expect(try store.load().payment(ofOrder: "A-1")?.conclusion == .succeeded)
        // And the shop goes on.
        let next = try await TestOrder("A-2")
        let payment = await phone.begin(next)
        try phone.comeBack(cancelled)
        #expect(try await payment.value == .cancelled)
    }

    @Test func nothingIsBegunThatCannotBeKept() async throws {
        try Data("in the way".utf8).write(to: file.deletingLastPathComponent())
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        await #expect(throws: AlipayAppError(code: .storeUnavailable, reason: "")) {
            try await phone.client.pay(order: order.text, returnTo: .init(scheme: TestPhone.scheme))
        }
        #expect(phone.surroundings.openedURLs.isEmpty && phone.client.pending.payments.isEmpty)
    }

    /// A phone that was not unlocked since its start: the file is there and cannot be read yet.
    @Test func urlWaitsForAFileThatCannotBeReadYet() async throws {
        let store = LockedStore()
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        _ = await phone.begin(order)
        store.isLocked = true
        phone.restart()
        phone.listen()
        #expect(try phone.comeBack(try await order.paid()))
        // Each time that it was wanted.
        #expect(!phone.client.faults.isEmpty && Set(phone.client.faults.map(\.code)) == [.storeUnavailable])
        store.isLocked = false
        phone.client.appBecameActive()
        await until { !phone.heard.isEmpty }
        #expect(phone.heard.map(\.outcome) == [succeeded("A-1", verified: true)])
    }

    @Test func fileHoldsNoOrderAndNoSignature() async throws {
        let phone = try TestPhone(store: store)
        let order = try await TestOrder("A-1")
        phone.server.answer("A-1", .paid)
        let payment = await phone.begin(order)
        let begun = try String(contentsOf: file, encoding: .utf8)
        #expect(begun.contains("A-1") && !begun.contains("sign") && !begun.contains("2088000000000001"))
        try phone.comeBack(try await order.paid())
        _ = try await payment.value
        let ended = try String(contentsOf: file, encoding: .utf8)
        #expect(ended.contains("succeeded") && !ended.contains("sign"))
    }

    /// No half-written list is ever seen, and nothing else is left in the folder.
    @Test func fileIsReplacedAsAWhole() async throws {
        var list = PendingPayments()
        for number in 1...40 {
            list.add(try OrderFacts(try await TestOrder("A-\(number)").text), at: 1)
            try store.save(list)
        }
        #expect(try store.load() == list)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == ["payments.json"])
    }
}

/// A store whose file cannot be read for a while.
private final class LockedStore: PendingPaymentStore, @unchecked Sendable {
    // Used on the main actor alone.
    var isLocked = false
    private let inner = VolatilePendingPaymentStore()

    func load() throws(AlipayAppError) -> PendingPayments {
        guard !isLocked else { throw AlipayAppError(code: .storeUnavailable, reason: "locked") }
        return inner.load()
    }

    func save(_ payments: PendingPayments) throws(AlipayAppError) {
        guard !isLocked else { throw AlipayAppError(code: .storeUnavailable, reason: "locked") }
        inner.save(payments)
    }
}

extension PendingPayments {
    mutating func add(_ order: OrderFacts, at now: Int64, scheme: String = "shopapp") {
        _ = launch(order, returnTo: ReturnAddress(scheme: scheme), at: now)
    }
}

@Suite struct PendingPaymentsTests {
    private func facts(_ number: String) async throws -> OrderFacts { try OrderFacts(try await TestOrder(number).text) }

    @Test func launchesAreNumberedForGood() async throws {
        var list = PendingPayments()
        list.add(try await facts("A-1"), at: 1)
        list.add(try await facts("A-1"), at: 2)
        list.add(try await facts("A-2"), at: 3)
        #expect(list.payments.map(\.id) == [2, 3] && list.launches == 3)
    }

    @Test func listForgetsTheSettledFirstAndTheVeryOld() async throws {
        var list = PendingPayments()
        let facts = try await facts("A-0")
        for number in 1...PendingPayments.limit { list.add(try await self.facts("A-\(number)"), at: Int64(number)) }
        list.conclude(5, .cancelled)
        list.add(facts, at: 100)
        #expect(list.payments.count == PendingPayments.limit && list[5] == nil && list[1] != nil)
        list.add(try await self.facts("B"), at: 101)
        #expect(list.payments.count == PendingPayments.limit && list[1] == nil)
        list.add(try await self.facts("C"), at: PendingPayments.lifetime + 102)
        #expect(list.payments.map(\.orderNumber) == ["C"])
    }

    /// Anybody can open the app with results of orders that it never began: they must not push out what it did begin.
    @Test func strangersResultsPushNothingOut() async throws {
        var list = PendingPayments()
        list.add(try await facts("A-1"), at: 1)
        for number in 1...100 { _ = list.adopt("X-\(number)", returnedTo: .init(scheme: "s"), at: 2) }
        #expect(list.payments.count == 1 + PendingPayments.adoptedLimit && list[1] != nil)
    }

    @Test func successIsFinal() async throws {
        var list = PendingPayments()
        list.add(try await facts("A-1"), at: 1)
        list.conclude(1, .succeeded)
        list.take(cancelled, for: 1)
        list.conclude(1, .cancelled)
        list.markReported(1)
        #expect(list[1]?.conclusion == .succeeded && list[1]?.reply == nil && list.hasPaid)
    }
}
