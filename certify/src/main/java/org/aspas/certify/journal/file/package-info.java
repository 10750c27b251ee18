/**
 * The journal's files on a real disk: the one package of {@code certify} that does input and output
 * (docs/adr/0013-the-journal-and-its-files.md). It holds no rule of the journal, only calls of the JDK.
 */
@NullMarked
package org.aspas.certify.journal.file;

import org.jspecify.annotations.NullMarked;
