/**
 * What the core gives its base to keep, and takes back from it (docs/durability.md, "The base").
 *
 * <p>{@link org.aspas.appserver.core.base.BaseImages} makes an image of the certified state at each certificate; the shell finds what
 * changed since the one before, and writes that. {@link org.aspas.appserver.core.base.SavedState} verifies what a base gives back at a start. {@link
 * org.aspas.appserver.core.base.JournalSum} says again at the end of the journal all that a start needs and no base has, so that the
 * records before it can go. {@link org.aspas.appserver.core.base.Foundation} is what a server does whose journal goes on from a base that
 * is gone: it waits for a snapshot, and meanwhile claims nothing. {@link org.aspas.appserver.core.base.KeptLeaves} is what
 * lets a start believe hashes of leaves before the base.
 */
@NullMarked
package org.aspas.appserver.core.base;

import org.jspecify.annotations.NullMarked;
