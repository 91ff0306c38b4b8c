import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import HTTPTypes

extension AlipayBackOffice {
    /// A day of more entries than this is not compared: both sides' would have to lie in memory.
    private static let mostEntries = 200_000
    /// Refunds that reach the wallet later than this many days are looked for on no further day.
    private static let mostDays = 8

    package func books(of day: String?, wallet: String?) async throws -> OrderGatewayBooks? {
        let configuration = context.configuration
        let text = day ?? ChinaTime.dayText(context.clock.now())
        guard text.utf8.count == 10, let range = ChinaTime.range(ofDay: text),
            let peer = wallet.map({ context.wallet($0) }) ?? configuration.wallets.first
        else { return nil }
        func answer(_ lines: [OrderGatewayBooks.Line], _ totals: [OrderGatewayBooks.Total], problem: String? = nil) -> OrderGatewayBooks {
            OrderGatewayBooks(
                day: text, wallet: peer.id, wallets: configuration.wallets.map(\.id), lines: lines, totals: totals, problem: problem)
        }
        do throws(Unread) {
            let own = try await booked(peer.id, on: range)
            let ours = own.compactMap(\.entry)
            let refunds = own.compactMap { if case .refund(let refund, _) = $0 { refund } else { nil } }
            let theirs = try await ask(peer, for: text)
            var comparison = BooksReconciliation(gateway: ours, wallet: theirs)
            let missing = Set(BooksReconciliation.missing(ours, in: theirs).map(\.requestId))
            comparison.underWay = Set(refunds.filter { $0.state == .booked }.map(\.id.description))
            // The wallet counts a refund to the day on which its customer had it.
            let late = refunds.filter { missing.contains($0.id.description) }.compactMap(\.creditedAt).map(ChinaTime.dayText)
            var days = Set(late)
            if !missing.isEmpty { days.formUnion([range.lowerBound.advanced(by: .seconds(-1)), range.upperBound].map(ChinaTime.dayText)) }
            for day in days.subtracting([text]).sorted().prefix(Self.mostDays) {
                comparison.elsewhereAtWallet += try await ask(peer, for: day)
            }
            comparison.elsewhereAtGateway = try await counterparts(of: BooksReconciliation.missing(theirs, in: ours), peer.id)
            guard
                let totals = try? [
                    BooksReconciliation.total("gateway", ours), BooksReconciliation.total(peer.id, theirs),
                ]
            else { throw Unread(reason: "an amount of its books is none in CNY") }
            return answer(comparison.lines, totals)
        } catch {
            return answer([], [], problem: error.reason)
        }
    }

    /// Why nothing is known of a wallet's books.
    private struct Unread: Error {
        var reason: String
    }

    private static let tooMany = Unread(reason: "the day has more than \(mostEntries) entries")

    /// The gateway's own entries, each page a short read of its own.
    private func booked(_ wallet: String, on day: Range<Timestamp>) async throws(Unread) -> [WalletBooks.Booked] {
        var rows: [WalletBooks.Booked] = []
        var place: BookPlace?
        repeat {
            let (limit, behind) = (context.configuration.bookPage, place)
            do {
                let page = try await context.database.read {
                    try WalletBooks.page(of: wallet, on: day, after: behind, limit: limit, in: $0)
                }
                rows += page.rows
                place = page.next
            } catch { throw Unread(reason: "the gateway's own books cannot be read now") }
            guard rows.count <= Self.mostEntries else { throw Self.tooMany }
        } while place != nil
        return rows
    }

    private func counterparts(of entries: [WalletBooks.Entry], _ wallet: String) async throws(Unread) -> [WalletBooks.Entry] {
        do {
            return try await context.database.read { tx in
                try entries.compactMap { try WalletBooks.counterpart(of: $0, wallet: wallet, in: tx) }
            }
        } catch { throw Unread(reason: "the gateway's own books cannot be read now") }
    }

    private func ask(_ wallet: AlipayServerConfiguration.Wallet, for day: String) async throws(Unread) -> [WalletBooks.Entry] {
        var entries: [WalletBooks.Entry] = []
        var cursor: String?
        repeat {
            let page = try await ask(wallet, for: day, cursor)
            entries += page.entries
            guard page.next == nil || (page.next != cursor && !page.entries.isEmpty) else {
                throw Unread(reason: "the wallet's books do not end")
            }
            guard entries.count <= Self.mostEntries else { throw Self.tooMany }
            cursor = page.next
        } while cursor != nil
        return entries
    }

    private func ask(
        _ wallet: AlipayServerConfiguration.Wallet, for day: String, _ cursor: String?
    ) async throws(Unread) -> WalletBooks {
        let behind = cursor.map { "&cursor=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" } ?? ""
        let request = OutgoingRequest(
            method: .get, url: "\(wallet.origin)/wallet/link/v1/books?day=\(day)\(behind)",
            headers: [.authorization: "Bearer \(wallet.credential.reveal())"], destination: .configured,
            timeout: context.configuration.notificationTimeout)
        let received: OutgoingAnswer
        do throws(SendFailure) { received = try await context.http.send(request) } catch {
            throw Unread(reason: "the wallet cannot be reached (\(error.code))")
        }
        guard received.status == .ok else { throw Unread(reason: "the wallet answered \(received.status.code)") }
        guard let books = try? JSONDocument.decode(WalletBooks.self, received.body) else {
            throw Unread(reason: "the wallet's answer is no book")
        }
        return books
    }
}
