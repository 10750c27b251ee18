/** The first tier: the client library, which verifies every answer, certificate and proof. */
@NullMarked
package org.aspas.client;

import org.jspecify.annotations.NullMarked;
