import Foundation

/// The orders whose end is not known yet, in a file: what a killed app finds again at its next start.
///
/// An order is written down before its payment begins. It is struck off when its end is certain, and never because time has passed.
@MainActor
final class OpenOrders {
    private(set) var orders: [Order]
    private let file: URL

    init(folder: URL) {
        file = folder.appendingPathComponent("orders.json")
        let text = try? Data(contentsOf: file)
        orders = text.flatMap { try? JSONDecoder().decode([Order].self, from: $0) } ?? []
    }

    func find(_ number: String) -> Order? { orders.first { $0.number == number } }

    /// Throws where the file cannot be written: a payment must not begin then.
    func add(_ order: Order) throws {
        guard find(order.number) == nil else { return }
        try write(orders + [order])
    }

    func remove(_ number: String) {
        // A file that cannot be written keeps the order: it is asked about once more, which harms nobody.
        try? write(orders.filter { $0.number != number })
    }

    private func write(_ changed: [Order]) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try JSONEncoder().encode(changed).write(to: file, options: .atomic)
        orders = changed
    }
}
