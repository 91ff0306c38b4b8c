import ApplePay
import ArgumentParser
import BillfoldJSON

/// A command that reads files and answers with one JSON object.
protocol ProvisioningReplying: ReplyingCommand {}

extension ProvisioningReplying {
    var json: Bool { true }
}

/// `--json`, which other commands ask for: here every answer is JSON, and so are the complaints about options then.
struct AlwaysJSON: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Answers are JSON anyway; complaints about options are then too.") var isAsked = false
}

extension CommandReply {
    /// An answer for programs alone.
    init(_ members: [JSONObject.Member], exitCode: Int32 = 0) {
        self.init(text: "", object: JSONObject(members), exitCode: exitCode)
    }
}
