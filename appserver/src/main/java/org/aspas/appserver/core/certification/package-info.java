/**
 * The appserver's part in certification (paper §3.5; the protocol page, docs/protocol.md §5): reports, the answer to a request for a stable state, and the adoption of certificates.
 */
@NullMarked
package org.aspas.appserver.core.certification;

import org.jspecify.annotations.NullMarked;
