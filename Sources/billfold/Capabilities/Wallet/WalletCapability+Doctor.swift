import BillfoldDiagnosis
import MiniProgramZip
import MiniPrograms
import MiniProgramsDiagnosis

extension WalletCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] { [MiniProgramDiagnostician(archives: ZipPackages())] }
}
