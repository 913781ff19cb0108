package sarif

import gosarif "github.com/owenrumney/go-sarif/v2/sarif"

// The parts of the document that the library can't write: it gives the members
// of a suppression that are not set as null, which the schema does not allow.

type writtenReport struct {
	*gosarif.Report
	Runs []writtenRun `json:"runs"`
}

type writtenRun struct {
	*gosarif.Run
	Results []writtenResult `json:"results"`
}

type writtenResult struct {
	*gosarif.Result
	// Suppressions are nil in all results, or in none (SARIF 2.1.0, §3.27.23).
	Suppressions []suppression `json:"suppressions,omitzero"`
}

type suppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}
