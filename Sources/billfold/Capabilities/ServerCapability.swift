import BillfoldDiagnosis
import BillfoldServer
import Foundation

/// A server of ours on the public listener.
protocol ServerCapability: Capability {
    /// The environment's variable that names its store where no flag does: it keeps a password out of the process list.
    static var databaseVariable: String { get }
    /// What the doctor examines its journey's artifacts with, in the order in which findings are shown.
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician]
}

extension ServerCapability {
    static var place: CapabilityPlace { .ours }

    /// The store that a flag or else the environment names.
    static func named(_ flag: String?) -> String? { flag ?? ProcessInfo.processInfo.environment[databaseVariable] }
}
