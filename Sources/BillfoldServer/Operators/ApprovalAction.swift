package import BillfoldJSON

/// One kind of action that two persons agree on: how what is asked for is read, and how it is done.
///
/// A wish is read when it is asked for, strictly: a key that stands twice, a member that nobody reads and an amount without its currency are
/// refused with `malformed-request` then, and not when somebody approves. What was read is written anew in one form, and this is what is
/// stored, shown to whoever approves, and run.
package struct ApprovalAction: Sendable {
    /// What people read before they agree, for example `Amount` and `12.50 CNY`.
    package struct Line: Sendable, Hashable, Codable {
        package var label: String
        package var value: String

        package init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// What somebody asks for.
    package struct Wish: Sendable {
        /// The detail in its one form. Amounts stand with their currency.
        package var detail: JSONObject
        /// What it means: the order, the names and the amounts, in the order in which people read them.
        package var lines: [Line]

        package init(detail: JSONObject, lines: [Line]) {
            self.detail = detail
            self.lines = lines
        }
    }

    /// Reads a wish: its subject, and its detail as it came. Throws `ServerError` for one that cannot be carried out as it stands.
    package typealias Read = @Sendable (_ subject: String, _ detail: [UInt8]) async throws -> Wish
    /// Runs an approved wish and says in one line what came of it. A thrown `ServerError` means that nothing moved; any other error leaves
    /// the request approved, to be run again.
    package typealias Run = @Sendable (ApprovalRequest) async throws -> String

    package let read: Read
    package let run: Run

    /// - Parameter run: Called with the request as it is stored, so with what `read` wrote; under its id, more than once after a crash.
    package init(read: @escaping Read, run: @escaping Run) {
        self.read = read
        self.run = run
    }
}
