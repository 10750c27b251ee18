/** The client tier: a library that verifies every answer, certificate and proof. {@code org.aspas.client.api} is for applications. */
@NullMarked
package org.aspas.client;

import org.jspecify.annotations.NullMarked;
