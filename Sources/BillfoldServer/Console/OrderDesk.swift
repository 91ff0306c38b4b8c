package import BillfoldWeb

/// What the console can show of orders: the part of a back office that belongs to the server that keeps them.
package protocol OrderDesk: Sendable {
    /// The order with its payments, refunds and postings as the books hold them now; `nil` where no merchant has an order of
    /// that id.
    func order(_ id: String) async throws -> OrderView?
    /// Everything in the books that waits for a person.
    func alarms() async throws -> AlarmList
    /// Marks a payment's alarm as dealt with, and writes who did it and the remark to the merchant's trail. Returns false where the
    /// payment has no open alarm of that name.
    func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool
}

/// The orders' alarms.
struct OrderConsole: ConsoleDesk {
    let desk: any OrderDesk

    var raisesAlarms: Bool { true }

    func report(to list: inout AlarmList) async throws {
        let own = try await desk.alarms()
        (list.deadLetters, list.alarms, list.overdue, list.mismatches) = (own.deadLetters, own.alarms, own.overdue, own.mismatches)
    }

    func clear(_ alarm: String, of payment: String, remark: String, by person: String) async throws -> Bool {
        try await desk.clear(alarm, of: payment, remark: remark, by: person)
    }
}
