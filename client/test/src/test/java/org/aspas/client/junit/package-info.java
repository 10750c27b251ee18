/** Tests of {@code org.aspas.client.junit}. */
package org.aspas.client.junit;
