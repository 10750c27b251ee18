/**
 * The spans of what an appserver does for its clients ({@link org.aspas.appserver.trace.AppServerSpans}), for the shells that see it
 * happen. Each shell has an {@code AppServerSpans} or null: without tracing there is nothing here to call. Cores know nothing of it.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.appserver.trace;
