package sarif

import "encoding/json"

// The parts of a SARIF document that Validate looks at.

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool struct {
		Driver struct {
			Name  string            `json:"name"`
			Rules *[]descriptorJSON `json:"rules"`
		} `json:"driver"`
		Extensions []json.RawMessage `json:"extensions"`
	} `json:"tool"`
	AutomationDetails struct {
		ID string `json:"id"`
	} `json:"automationDetails"`
	Results *[]resultJSON `json:"results"`
}

type descriptorJSON struct {
	ID                   string   `json:"id"`
	Name                 string   `json:"name"`
	ShortDescription     textJSON `json:"shortDescription"`
	FullDescription      textJSON `json:"fullDescription"`
	Help                 textJSON `json:"help"`
	DefaultConfiguration struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
	Properties struct {
		Tags             []string        `json:"tags"`
		Precision        *string         `json:"precision"`
		SecuritySeverity json.RawMessage `json:"security-severity"`
	} `json:"properties"`
}

type textJSON struct {
	Text     string  `json:"text"`
	Markdown *string `json:"markdown"`
}

type resultJSON struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           *int              `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             textJSON          `json:"message"`
	Locations           []locationJSON    `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

type locationJSON struct {
	PhysicalLocation *struct {
		ArtifactLocation *struct {
			URI       string `json:"uri"`
			URIBaseID string `json:"uriBaseId"`
		} `json:"artifactLocation"`
		Region *struct {
			StartLine int  `json:"startLine"`
			EndLine   *int `json:"endLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
}
