/**
 * The systems that workloads are run against, by name ({@link org.aspas.emulab.rivals.SystemCatalogue}): ASPAS itself in the
 * mixes of the paper's Table 1, and what it is compared with. Each has a package, and a page in docs/systems that says what is
 * faithful in it.
 */
@NullMarked
package org.aspas.emulab.rivals;

import org.jspecify.annotations.NullMarked;
