internal import FoundationEssentials
enum OpenStepReader { static func read(_ data: Data, options: PlistReadOptions) throws(PlistError) -> (PlistValue, [PlistWarning]) { throw PlistError(.empty) } }
