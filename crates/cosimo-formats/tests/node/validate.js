// The validator of Khronos has nothing to say against a file.
"use strict";

const fs = require("fs");
const validator = require("gltf-validator");

validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2]))).then((report) => {
  const { numErrors, numWarnings, messages } = report.issues;
  if (numErrors + numWarnings > 0) {
    console.error(JSON.stringify(messages, null, 1));
    process.exit(1);
  }
});
