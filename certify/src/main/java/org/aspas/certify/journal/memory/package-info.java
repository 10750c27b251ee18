/** Files in memory for the journal: a disk of which can be said what a power cut leaves. Simulated nodes run on it. */
@NullMarked
package org.aspas.certify.journal.memory;

import org.jspecify.annotations.NullMarked;
